import Foundation
import FrameFastModel
import Testing

/// What is said of a shot of a group that lacks photos.
@Suite struct GroupShotConditionTests {
    private static func shot(without names: [String]) -> GroupShot {
        GroupShot(
            id: 12, group: "ring", at: Date(timeIntervalSince1970: 0),
            frames: [.init(name: "there", capture: 1)] + names.map { .init(name: $0, isSettled: true) })
    }

    @Test(arguments: [
        (["c1"], "c1"), (["c1", "c2"], "c1 and c2"), (["c1", "c2", "c3"], "c1, c2 and c3"),
        ((1...8).map { "c\($0)" }, "c1, c2, c3, c4, c5, c6, c7 and c8"),
        ((1...10).map { "c\($0)" }, "c1, c2, c3, c4, c5, c6, c7, c8 and 2 more"),
    ])
    func `cameras without a photo are named, many of them counted`(names: [String], cameras: String) throws {
        let condition = try #require(Condition(Self.shot(without: names), since: Date()))
        #expect(condition.sentence == "Shot 12 of ring has no photo from \(cameras).")
        #expect(condition.subject == .group("ring") && condition.code == "group-frame-missing")
    }

    @Test func `a shot that lacks nothing is no condition, and a camera is missed when it was counted`() {
        #expect(Condition(Self.shot(without: []), since: Date()) == nil)
        #expect(GroupShot.Frame(name: "c1").reason == nil)
        #expect(GroupShot.Frame(name: "c1", missing: "No focus.").reason == "No focus.")
        #expect(GroupShot.Frame(name: "c1", isSettled: true).reason != nil)
        #expect(GroupShot.Frame(name: "c1", capture: 1, isSettled: true).reason == nil)
    }
}
