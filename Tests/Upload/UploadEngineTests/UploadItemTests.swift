import Foundation
import FrameFastModel
import Store
import Testing

@testable import UploadEngine

@Suite struct UploadItemTests {
    private let rig: UploadRig

    init() throws { rig = try UploadRig() }

    /// Returns the item of a photo with the capture time 14:25:30 in this time zone.
    ///
    /// - Parameter failure: The failure of an earlier attempt, or `nil`.
    private func item(zone: TimeZone?, after failure: FailedAttempt? = nil) async throws -> UploadItem {
        let now = rig.time.now
        try await rig.store.recordCamera(
            CameraStatus(id: "canon-1", name: "left", port: "p", state: .ready), as: "camera", zone: zone,
            place: "1-1", isListed: true, at: now)
        let session = try await rig.store.startSession(name: "Wedding", at: now)
        try await rig.save(["a.jpg"], session: session.id, cameraTime: 1_795_271_130)
        let photos = try await rig.store.unplannedUploads(limit: 1).map(\.photo)
        let plan = UploadPlan(destination: "nas", decision: .queued(priority: 0), remoteName: "Wedding/1.jpg")
        _ = try await rig.store.planUploads(photos.map { ($0, [plan]) }, at: now)
        let request = LedgerStore.ClaimRequest(destination: "nas", limit: 1, order: .capture)
        var claimed = try await rig.store.recordOutcomes([], claiming: request, at: now).claimed
        if let failure {
            let id = try #require(claimed.first).job.id
            let outcomes = [.failed(failure, at: now, jitter: 0), .retried].map {
                LedgerStore.UploadOutcome(jobID: id, event: $0)
            }
            claimed = try await rig.store.recordOutcomes(outcomes, claiming: request, at: now).claimed
        }
        return UploadItem(
            try #require(claimed.first), to: rig.target(ScriptedDestination()),
            from: try #require(Station("k7f2q9wd")), pace: nil, store: rig.store)
    }

    @Test(arguments: [
        ("Asia/Tokyo", "2026-11-21T05:25:30Z"), ("America/New_York", "2026-11-21T19:25:30Z"),
        ("GMT", "2026-11-21T14:25:30Z"),
    ])
    func `upload item has the capture time, converted from the camera's time zone`(
        zone: String, moment: String
    ) async throws {
        let zone: TimeZone = try #require(TimeZone(identifier: zone))
        let item = try await item(zone: zone)
        #expect(item.facts[.capturedAt] == moment)
    }

    @Test func `upload item contains the photo's facts but no local path`()
        async throws
    {
        let facts = try await item(zone: nil).facts
        #expect(facts[.camera] == "left" && facts[.session] == "Wedding" && facts[.kind] == "picture")
        #expect(facts[.original] == "a.jpg" && facts[.name] == "Wedding/1.jpg")
        #expect(facts[.capture] == "1" && facts[.job] == "1" && facts[.destination] == "nas")
        #expect(facts[.file] == nil)
    }

    @Test func `upload item does not contain earlier failures`() async throws {
        let failure = FailedAttempt(.transient, "cannot read /photos/a.jpg", nextStep: "Look at the disk.")
        let facts = try await item(zone: nil, after: failure).facts
        #expect(facts[.job] == "1" && facts[.sentence] == nil && facts[.nextStep] == nil)
    }
}
