import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// Photos that may or must go from the camera once they are safe here.
extension Intake {
    /// A photo is durable and in the ledger: what is no longer needed on the camera's side goes.
    func letGo(_ record: CaptureRecord) async {
        if record.object.isInMemory {
            // On the card of such a camera, if it has one, it stays.
            await release(record.object)
        } else if session.configured.deletesAfterSave || session.facts.mustDeleteAfterSave {
            await deleteOnCamera(record)
        }
    }

    /// The worker need not keep a photo from the camera's memory any more, and can take the next.
    func release(_ object: CameraObject) async {
        do throws(WorkerFailure) { try await session.delete(object) } catch {
            shared.logger.warning("cannot release a photo", metadata: ["reason": "\(error.text)"])
        }
    }

    private func deleteOnCamera(_ record: CaptureRecord) async {
        do {
            // Behind the one that is deleted the camera may have another of its name, and tell of it at once.
            try await shared.ledger.markPast(id: record.id, true)
            try await session.delete(record.object)
        } catch {
            shared.logger.warning(
                "cannot delete on the camera",
                metadata: ["reason": "\((error as? WorkerFailure)?.text ?? "\(error)")"])
            try? await shared.ledger.markPast(id: record.id, false)
            return
        }
        try? await shared.ledger.markDeletedOnCamera(id: record.id, at: Date())
    }

    /// A photo from memory that the ledger knows already: one that is on its way here is kept until it is saved, and one
    /// that came to its end is released.
    ///
    /// - Returns: its record when it is still to be fetched.
    func pendingInMemory(_ object: CameraObject) async throws -> [CaptureRecord] {
        guard object.isInMemory, let record = try await shared.ledger.capture(of: object, camera: identity)
        else { return [] }
        switch record.state {
        case .seen: return [record]
        case .publishing: return []
        // It was taken for one that had been on the card.
        case .skipped: return try await shared.ledger.wantSkipped(object, camera: identity)
        case .setAside where record.failure == Self.leftInCamera:
            return try await shared.ledger.tryAgain(id: record.id).map { [$0] } ?? []
        case .saved, .duplicate, .setAside:
            await release(object)
            return []
        }
    }
}
