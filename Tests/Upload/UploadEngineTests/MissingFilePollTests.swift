import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct MissingFilePollTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)
    static let later = now.addingTimeInterval(MissingFilePoll.pauseSeconds)
    static let page = (1...Int64(MissingFilePoll.pageMax)).map(JobID.init(rawValue:))

    @Test func `polls immediately at start, and stops polling if no file is missing`() {
        var poll = MissingFilePoll(at: Self.now)
        #expect(poll.beginPoll(at: Self.now.addingTimeInterval(-1)) == nil)
        #expect(poll.beginPoll(at: Self.now) == 0)
        #expect(poll.beginPoll(at: Self.now) == nil, "one poll at a time")
        poll.recordPage([], at: Self.now)
        #expect(poll.due == nil)
        poll.recordMissingFile(at: Self.now)
        #expect(poll.due == Self.later)
    }

    @Test(
        arguments: [
            // Each row has the results of the polls, and the job after which each poll starts.
            ([[7, 9], []], [0, 0]), ([page, [501], []], [0, 500, 0]), ([page, [], [3]], [0, 500, 0]),
        ] as [([[JobID]], [JobID])])
    func `poll continues after a full page and restarts after the last page`(
        pages: [[JobID]], starts: [JobID]
    ) {
        var poll = MissingFilePoll(at: Self.now)
        var time = Self.now
        var begun: [JobID] = []
        for page in pages {
            guard let after = poll.beginPoll(at: time) else { break }
            begun.append(after)
            poll.recordPage(page, at: time)
            time = poll.due ?? time
        }
        #expect(begun == starts)
    }

    @Test func `schedules a new poll if a file goes missing during a poll`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordMissingFile(at: Self.now)
        poll.recordPage([], at: Self.now)
        #expect(poll.due == Self.later)
    }

    @Test func `retries a poll from the same job after a ledger error`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordPage(Self.page, at: Self.now)
        #expect(poll.beginPoll(at: Self.later) == 500)
        poll.recordFailure(at: Self.later)
        #expect(poll.beginPoll(at: Self.later.addingTimeInterval(60)) == 500)
    }

    @Test func `more missing files do not postpone the next poll`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordPage([7], at: Self.now)
        poll.recordMissingFile(at: Self.now.addingTimeInterval(30))
        #expect(poll.due == Self.later)
    }
}
