import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// What there is to fetch: the camera's objects against the ledger.
extension Intake {
    /// Holds the object list against the ledger.
    func catchUp() async throws {
        // In a memory that must be emptied there are no photos to leave alone.
        let leavesAll =
            shared.settings.existing == .skip && !session.facts.mustDeleteAfterSave
            ? try await !shared.ledger.hasMet(camera: session.identity) : false
        // Else it is ready when it is known what was there before: a photo from then on is wanted.
        if !leavesAll { showState() }
        let objects: [CameraObject]
        do { objects = try await session.list() } catch {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(error.text)"])
            end = .lost(afterProgress: false)
            return
        }
        if let missing = try? await session.missing() { quiet.listed(missing: missing) }
        try await enter(objects, as: leavesAll ? .skipped : .seen)
        try await emptyMemory(of: objects)
        if let status = shared.registry.camera(session.camera) {
            var known = status
            known.id = session.identity
            known.facts = session.facts
            try await shared.ledger.remember(known, at: Date())
            shared.concern.works()
        }
        let listed = Set(objects)
        try await tellDamaged(on: listed)
        queue = failed.partition(
            try await shared.ledger.pending(camera: session.identity).filter { listed.contains($0.object) })
        if failed.failingCount == 0 { shared.health.clear("photo-failing", subject: session.camera) }
        if !queue.isEmpty {
            shared.logger.info(
                "photos to catch up",
                metadata: [
                    "camera": "\(shared.naming.cameraName(session.identity))", "count": "\(queue.count)",
                ])
        }
    }

    @discardableResult
    func enter(_ objects: [CameraObject], as state: CaptureRecord.State) async throws
        -> [CaptureRecord]
    {
        givesTimes = givesTimes || objects.contains { $0.cameraTime != nil }
        let doubtful = objects.filter { CameraMemory.looksCutShort($0, givesTimes: givesTimes) }
        doubted.formUnion(doubtful)
        let newDoubts = Set(doubtful).subtracting(earlierDoubts)
        if !newDoubts.isEmpty {
            shared.logger.notice("facts cut short: asking again", metadata: ["count": "\(newDoubts.count)"])
            hasNewDoubts = true
            quiet.heard()
        }
        let new = try await shared.ledger.recordSeen(
            objects.filter { !newDoubts.contains($0) }, camera: session.identity, session: sessionID(),
            at: Date(), as: state)
        for record in new { shared.onCapture(record) }
        for record in try await shared.ledger.recordProtected(
            objects.filter { $0.isProtected == true }, camera: session.identity)
        {
            shared.onCapture(record)
        }
        guard state == .seen else { return new }
        queue.append(contentsOf: new)
        return new
    }
}
