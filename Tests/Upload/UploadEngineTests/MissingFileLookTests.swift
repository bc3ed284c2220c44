import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct MissingFileLookTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)
    static let later = now.addingTimeInterval(MissingFileLook.pauseSeconds)
    static let page = (1...Int64(MissingFileLook.pageMax)).map(JobID.init(rawValue:))

    @Test func `the first look is at once, and none is worth a second when no file is gone`() {
        var look = MissingFileLook(at: Self.now)
        #expect(look.begin(at: Self.now.addingTimeInterval(-1)) == nil)
        #expect(look.begin(at: Self.now) == 0)
        #expect(look.begin(at: Self.now) == nil, "one look at a time")
        look.looked([], at: Self.now)
        #expect(look.due == nil)
        look.fileIsGone(at: Self.now)
        #expect(look.due == Self.later)
    }

    @Test(
        arguments: [
            // The pages that are seen, and where the looks began.
            ([[7, 9], []], [0, 0]), ([page, [501], []], [0, 500, 0]), ([page, [], [3]], [0, 500, 0]),
        ] as [([[JobID]], [JobID])])
    func `a look goes on behind a full page, and begins anew behind the last`(
        pages: [[JobID]], starts: [JobID]
    ) {
        var look = MissingFileLook(at: Self.now)
        var time = Self.now
        var begun: [JobID] = []
        for page in pages {
            guard let after = look.begin(at: time) else { break }
            begun.append(after)
            look.looked(page, at: time)
            time = look.due ?? time
        }
        #expect(begun == starts)
    }

    @Test func `a file that goes while others are looked for is not forgotten`() {
        var look = MissingFileLook(at: Self.now)
        _ = look.begin(at: Self.now)
        look.fileIsGone(at: Self.now)
        look.looked([], at: Self.now)
        #expect(look.due == Self.later)
    }

    @Test func `a ledger that does not answer is asked again, from the same place`() {
        var look = MissingFileLook(at: Self.now)
        _ = look.begin(at: Self.now)
        look.looked(Self.page, at: Self.now)
        #expect(look.begin(at: Self.later) == 500)
        look.couldNotLook(at: Self.later)
        #expect(look.begin(at: Self.later.addingTimeInterval(60)) == 500)
    }

    @Test func `more files that go do not put a look off`() {
        var look = MissingFileLook(at: Self.now)
        _ = look.begin(at: Self.now)
        look.looked([7], at: Self.now)
        look.fileIsGone(at: Self.now.addingTimeInterval(30))
        #expect(look.due == Self.later)
    }
}
