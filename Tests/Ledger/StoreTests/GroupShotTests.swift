import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import Store

/// Which shot of a group a photo is of.
@Suite struct GroupShotTests {
    private static let moment = Date(timeIntervalSince1970: 1_795_271_130)
    private static let group: GroupName = "ring"

    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func begin(_ bodies: [BodyID?] = ["a", "b"], after seconds: Double = 0) async throws
        -> GroupShotID
    {
        try await ledger.beginGroupShot(
            Self.group, at: Self.moment + seconds,
            frames: bodies.enumerated().map { number, body in
                .init(name: "c\(number)", bodyID: body, missing: body == nil ? "It is away." : nil)
            })
    }

    /// A photo is announced some seconds after the moment.
    @discardableResult private func announce(
        _ body: BodyID, _ name: String, after seconds: Double = 0.3
    ) async throws -> CaptureRecord {
        let object = CameraObject(
            folder: "/store/DCIM", name: name, size: 10,
            cameraTime: Int64(Self.moment.timeIntervalSince1970 + seconds))
        return try #require(
            await ledger.recordSeen([object], camera: body, session: nil, at: Self.moment + seconds).first)
    }

    @Test func `the first photo of each camera after the moment is of the shot, and so is its partner`()
        async throws
    {
        let before = try await announce("a", "IMG_0001.JPG", after: -1)
        let shot = try await begin(["a", "b", nil])
        // The camera took it by hand while the others were made ready.
        let early = try await announce("a", "IMG_0002.JPG", after: -0.1)
        #expect(before.groupShotID == nil && early.groupShotID == nil)
        #expect(try await announce("a", "IMG_0003.CR3").groupShotID == shot)
        #expect(try await announce("a", "IMG_0003.JPG", after: 0.5).groupShotID == shot)
        #expect(try await announce("a", "IMG_0004.CR3", after: 1.5).groupShotID == nil)
        #expect(try await announce("z", "IMG_0003.JPG").groupShotID == nil)
        let half = try #require(try await ledger.groupShot(shot))
        #expect(half.without.map(\.name) == ["c1", "c2"] && half.frames[2].missing == "It is away.")
        #expect(try await announce("b", "_MG_9.JPG", after: 2).groupShotID == shot)
        #expect(try await ledger.groupShots(Self.group, limit: 5).map(\.without.count) == [1])
        #expect(try await ledger.groupShots("rang", limit: 5).isEmpty)
    }

    @Test func `shots that follow closely each have their own photo, also when those of one are late`()
        async throws
    {
        let first = try await begin()
        let second = try await begin(after: 1)
        // Both cameras announce the first after the second's moment.
        #expect(try await announce("a", "A1.JPG", after: 1.2).groupShotID == first)
        #expect(try await announce("a", "A2.JPG", after: 1.3).groupShotID == second)
        #expect(try await announce("b", "B1.JPG", after: 1.4).groupShotID == first)
        #expect(try await announce("b", "B2.JPG", after: 1.5).groupShotID == second)
    }

    @Test func `a photo that was missed shifts none of the next shots, and may still come`() async throws {
        let first = try await begin()
        try await announce("b", "B1.JPG")
        try await ledger.settleGroupShot(first)
        let second = try await begin(after: 20)
        #expect(try await announce("a", "A2.JPG", after: 20.5).groupShotID == second)
        #expect(try await announce("b", "B2.JPG", after: 20.5).groupShotID == second)
        // The cable is back: the camera lists what it took.
        #expect(try await announce("a", "A1.JPG", after: 60).groupShotID == first)
        #expect(try await announce("a", "A9.JPG", after: 61).groupShotID == nil)
        // Much later it is another photo.
        let third = try await begin(after: 100)
        #expect(
            try await announce("a", "A3.JPG", after: 101 + GroupShot.frameSecondsMax).groupShotID == nil)
        #expect(try await ledger.groupShot(third)?.without.count == 2)
    }

    @Test func `a camera that refused waits for no photo, and a shot that was called off is gone`()
        async throws
    {
        let shot = try await begin()
        try await ledger.closeFrames(of: shot, ["c0": "It found no focus."])
        #expect(try await announce("a", "A1.JPG").groupShotID == nil)
        #expect(try await ledger.groupShot(shot)?.frames[0].missing == "It found no focus.")
        let off = try await begin(after: 5)
        try await ledger.forgetGroupShot(off)
        #expect(try await announce("a", "A2.JPG", after: 6).groupShotID == nil)
        #expect(try await ledger.groupShot(off) == nil)
        #expect(try await ledger.groupShots(since: Self.moment - 1).map(\.id) == [shot])
    }

    @Test func `the other file of a release has its number, also behind a photo of another`() async throws {
        let first = try await begin()
        let second = try await begin(after: 1)
        // Names of one shot that differ stand side by side.
        #expect(try await announce("b", "_DSC0001.NEF", after: 1.2).groupShotID == first)
        #expect(try await announce("a", "IMG_0001.CR3", after: 1.2).groupShotID == first)
        #expect(try await announce("b", "DSC_0001.JPG", after: 1.3).groupShotID == first)
        // Equal ones need not.
        #expect(try await announce("a", "IMG_0002.CR3", after: 1.3).groupShotID == second)
        #expect(try await announce("a", "IMG_0001.JPG", after: 1.4).groupShotID == first)
        #expect(try await announce("a", "IMG_0002.JPG", after: 1.5).groupShotID == second)
        // The ledger says so as well.
        let kept = try await ledger.pending(camera: "a").map(\.groupShotID)
        #expect(kept == [first, second, first, second])
    }
}
