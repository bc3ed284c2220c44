import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// The removal of saved photos from the camera's card or memory.
struct CameraCleanup: Sendable {
    let context: ConnectionContext

    private var connection: CameraConnection { context.connection }
    private var ledger: LedgerStore { context.ledger }

    /// Releases a saved photo that came from the camera's memory. Deletes any other saved photo from the
    /// camera if the configuration or the camera requires the deletion.
    nonisolated(nonsending) func deleteFromCamera(_ record: CaptureRecord) async {
        if record.object.isInMemory {
            // If the photo is also on a card, it stays there.
            await release(record.object)
        } else if connection.facts.mustDeleteAfterSave
            || (connection.configured.deletesAfterSave && !connection.facts.onlyFetchesPhotos)
        {
            await delete(record)
        }
    }

    /// Makes the worker delete its stored copy of a photo from the camera's memory. If the worker's store was
    /// full, the worker can then fetch the next photo.
    nonisolated(nonsending) func release(_ object: CameraObject) async {
        do throws(WorkerFailure) { try await connection.delete(object) } catch {
            context.logger.warning(
                "cannot delete a saved photo from the camera's memory", metadata: ["reason": "\(error.text)"])
        }
    }

    nonisolated(nonsending) private func delete(_ record: CaptureRecord) async {
        do {
            // After the deletion the camera may immediately announce another photo with the same name. The
            // record is marked first, because the new photo must not be mistaken for the deleted photo.
            try await ledger.markPast(id: record.id, true)
            SimulatedHost.pass(.photoMarkedPast)
            try await connection.delete(record.object)
            SimulatedHost.pass(.originalDeleted)
        } catch {
            context.log(
                "cannot delete on the camera", .warning, of: record,
                ["reason": "\((error as? WorkerFailure)?.text ?? "\(error)")"])
            switch (error as? WorkerFailure)?.kind {
            // The camera may have deleted the photo. If the photo is still on the card, the next listing adds
            // it to the ledger again. The new record becomes a duplicate, and the deletion is retried once.
            case .disconnected, .timeout, .objectGone: break
            default: try? await ledger.markPast(id: record.id, false)
            }
            return
        }
        try? await ledger.markDeletedOnCamera(id: record.id, at: context.clock.now())
    }

    /// Handles a photo from the camera's memory that is already in the ledger. A photo that is not published
    /// yet stays in the camera's memory. A published photo is released.
    ///
    /// - Returns: An array with the photo's record if the photo still has to be fetched; otherwise, an empty
    ///   array.
    nonisolated(nonsending) func pendingRecords(of object: CameraObject) async throws -> [CaptureRecord] {
        guard object.isInMemory, let record = try await ledger.capture(of: object, camera: context.identity)
        else { return [] }
        switch record.state {
        case .seen: return [record]
        case .publishing: return []
        // The photo was mistaken for a photo that was on the card before the first connection.
        case .skipped: return try await ledger.unskip(object, camera: context.identity)
        case .setAside where record.failure == PhotosLeftInCamera.failure:
            return try await ledger.retrySetAside(id: record.id).map { [$0] } ?? []
        case .saved, .duplicate, .setAside:
            await release(object)
            return []
        }
    }
}
