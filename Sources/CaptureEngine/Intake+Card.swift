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
            ? try await !shared.ledger.hasMet(camera: identity) : false
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
            known.id = identity
            known.facts = session.facts
            try await shared.ledger.remember(known, place: session.place, at: Date())
            shared.concern.works()
        }
        let listed = Set(objects)
        try await tellDamaged(on: listed)
        queue.append(
            failed.partition(
                try await shared.ledger.pending(camera: identity).filter { listed.contains($0.object) }))
        readDamagedAgain()
        if failed.failingCount == 0 { shared.health.clear("photo-failing", subject: session.camera) }
        if !queue.isEmpty {
            shared.logger.info(
                "photos to catch up",
                metadata: [
                    "camera": "\(shared.naming.cameraName(identity))", "count": "\(queue.count)",
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
            objects.filter { !newDoubts.contains($0) }, camera: identity, session: sessionID(),
            at: Date(), as: state)
        // What may be a photo that is saved already is told of when its bytes say that it is not.
        for record in new where record.twinID == nil { shared.onCapture(record) }
        for record in try await shared.ledger.recordProtected(
            objects.filter { $0.isProtected == true }, camera: identity)
        {
            shared.onCapture(record)
        }
        guard state == .seen else { return new }
        queue.append(new)
        return new
    }
}
