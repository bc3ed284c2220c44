import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// Deletes or releases originals on the camera after they are saved.
struct CameraCleanup: Sendable {
    let context: SessionContext

    private var session: CameraSession { context.session }
    private var ledger: LedgerStore { context.ledger }

    /// Releases a saved photo from the camera's memory, or deletes it from the camera if the configuration
    /// or the camera requires it.
    nonisolated(nonsending) func deleteFromCamera(_ record: CaptureRecord) async {
        if record.object.isInMemory {
            // If such a camera has a card, the photo stays on it.
            await release(record.object)
        } else if session.facts.mustDeleteAfterSave
            || (session.configured.deletesAfterSave && !session.facts.onlyFetchesPhotos)
        {
            await delete(record)
        }
    }

    /// Releases a photo from the camera's memory, so that the worker can fetch the next one.
    nonisolated(nonsending) func release(_ object: CameraObject) async {
        do throws(WorkerFailure) { try await session.delete(object) } catch {
            context.logger.warning("cannot release a photo", metadata: ["reason": "\(error.text)"])
        }
    }

    nonisolated(nonsending) private func delete(_ record: CaptureRecord) async {
        do {
            // After the deletion the camera may immediately announce another photo with the same name. The
            // record is marked first, so that the new photo is not taken for this one.
            try await ledger.markPast(id: record.id, true)
            try await session.delete(record.object)
        } catch {
            context.log(
                "cannot delete on the camera", .warning, of: record,
                ["reason": "\((error as? WorkerFailure)?.text ?? "\(error)")"])
            try? await ledger.markPast(id: record.id, false)
            return
        }
        try? await ledger.markDeletedOnCamera(id: record.id, at: Date())
    }

    /// Handles a photo from the camera's memory that the ledger already knows. A photo that is still to be
    /// fetched or published stays in memory; a finished one is released.
    ///
    /// - Returns: The photo's record if it still has to be fetched; otherwise an empty array.
    nonisolated(nonsending) func pendingRecords(of object: CameraObject) async throws -> [CaptureRecord] {
        guard object.isInMemory, let record = try await ledger.capture(of: object, camera: context.identity)
        else { return [] }
        switch record.state {
        case .seen: return [record]
        case .publishing: return []
        // The photo was mistaken for one that was already on the card.
        case .skipped: return try await ledger.unskip(object, camera: context.identity)
        case .setAside where record.failure == PhotosLeftInCamera.failure:
            return try await ledger.retrySetAside(id: record.id).map { [$0] } ?? []
        case .saved, .duplicate, .setAside:
            await release(object)
            return []
        }
    }
}
