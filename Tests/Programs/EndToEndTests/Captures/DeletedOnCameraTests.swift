import APIClient
import FrameFastAPI
import TestRig
import Testing

/// Tests of photos that the user deletes with the camera's buttons before they are transferred.
@Suite(.programs(2)) struct DeletedOnCameraTests {
    /// The number of photos on the card, and the number of deleted photos. Each transfer takes 3 seconds, so
    /// the deleted photos are not transferred yet, even if the test is delayed.
    private static let (shots, deleted) = (8, 2)

    /// The maker, and whether the photos are on the card before the service connects.
    private static let rows = [
        ("generic", false), ("canon", true), ("canon", false), ("nikon", false), ("nikon", true),
    ]

    @Test(arguments: Tier.rows(rows, gate: 2))
    func `skips photos deleted on the camera and saves the others`(
        maker: String, isFoundOnCard: Bool
    ) async throws {
        let folder = try ScratchFolder()
        let existing = isFoundOnCard ? ["--existing", "\(Self.shots)"] : []
        let camera = try await Simulator(
            folder, ["--maker", maker, "--size", "300KB", "--rate", "100KB"] + existing)
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        if !isFoundOnCard {
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
            try camera.command("shoot \(Self.shots)")
        }
        let waiting = try await rig.waitUntil("photos to wait", within: 60) { snapshot -> [CaptureReply]? in
            let waiting = try snapshot.records.filter { $0.savedAt == nil }
            return waiting.count >= Self.shots - 1 ? waiting : nil
        }
        // Deletes photos in the middle, because the service is transferring the first or the last photos.
        for photo in waiting.dropFirst(3).prefix(Self.deleted) {
            try camera.command("delete \(photo.originalName)")
        }
        let last = try await rig.waitUntil("the others to be saved, and no photo to wait", within: 90) {
            let status = try $0.status
            return status.captures.total >= Self.shots - Self.deleted && status.conditions.isEmpty
                && status.cameras.first?.state == .ready && status.cameras.first?.pending == 0
        }
        #expect(
            try last.records.map(\.state) == (0..<Self.shots - Self.deleted).map { _ in .saved },
            "[loss] wrong records")
        let wrong = try await rig.untilIntact(camera.card())
        #expect(wrong == [])
        // The service writes the log after it has forgotten the photos.
        let logged = try await eventually("the deleted photos in the log") { () -> Int? in
            let count = rig.log.split(separator: "\n").count {
                $0.contains("deleted on the camera before it was fetched")
            }
            return count >= Self.deleted ? count : nil
        }
        #expect(logged == Self.deleted)
        #expect(!rig.log.contains("condition=photo-failing"), "no condition is reported")
        // The camera still works.
        try camera.command("shoot")
        try await rig.waitUntilSaved(Self.shots - Self.deleted + 1)
        #expect(try await rig.stop() == 0)
    }
}
