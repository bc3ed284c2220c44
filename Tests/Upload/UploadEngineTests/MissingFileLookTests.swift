import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct MissingFileLookTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)
    static let later = now.addingTimeInterval(MissingFilePoll.pauseSeconds)
    static let page = (1...Int64(MissingFilePoll.pageMax)).map(JobID.init(rawValue:))

    @Test func `the first look is at once, and none is worth a second when no file is gone`() {
        var poll = MissingFilePoll(at: Self.now)
        #expect(poll.beginPoll(at: Self.now.addingTimeInterval(-1)) == nil)
        #expect(poll.beginPoll(at: Self.now) == 0)
        #expect(poll.beginPoll(at: Self.now) == nil, "one look at a time")
        poll.recordPage([], at: Self.now)
        #expect(poll.due == nil)
        poll.recordMissingFile(at: Self.now)
        #expect(poll.due == Self.later)
    }

    @Test(
        arguments: [
            // The pages that are seen, and where the looks began.
            ([[7, 9], []], [0, 0]), ([page, [501], []], [0, 500, 0]), ([page, [], [3]], [0, 500, 0]),
        ] as [([[JobID]], [JobID])])
    func `a look goes on behind a full page, and begins anew behind the last`(
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

    @Test func `a file that goes while others are looked for is not forgotten`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordMissingFile(at: Self.now)
        poll.recordPage([], at: Self.now)
        #expect(poll.due == Self.later)
    }

    @Test func `a ledger that does not answer is asked again, from the same place`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordPage(Self.page, at: Self.now)
        #expect(poll.beginPoll(at: Self.later) == 500)
        poll.recordFailure(at: Self.later)
        #expect(poll.beginPoll(at: Self.later.addingTimeInterval(60)) == 500)
    }

    @Test func `more files that go do not put a look off`() {
        var poll = MissingFilePoll(at: Self.now)
        _ = poll.beginPoll(at: Self.now)
        poll.recordPage([7], at: Self.now)
        poll.recordMissingFile(at: Self.now.addingTimeInterval(30))
        #expect(poll.due == Self.later)
    }
}
