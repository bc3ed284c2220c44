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
        do throws(WorkerFailure) {
            try await session.delete(record.object)
        } catch {
            shared.logger.warning("cannot delete on the camera", metadata: ["reason": "\(error.text)"])
            return
        }
        try? await shared.ledger.markDeletedOnCamera(id: record.id, at: Date())
    }

    /// What was saved in an earlier session and not deleted any more, because that session ended between the two,
    /// would take up the camera's memory for ever.
    func emptyMemory(of objects: [CameraObject]) async throws {
        guard session.facts.mustDeleteAfterSave, !objects.isEmpty else { return }
        let listed = Set(objects)
        for record in try await shared.ledger.savedAndNotDeleted(camera: identity)
        where listed.contains(record.object) && record.verified != .awaitingReread {
            await deleteOnCamera(record)
        }
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
        case .publishing, .skipped: return []
        case .setAside where record.failure == Self.leftInCamera:
            return try await shared.ledger.tryAgain(id: record.id).map { [$0] } ?? []
        case .saved, .duplicate, .setAside:
            await release(object)
            return []
        }
    }
}
