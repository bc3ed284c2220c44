import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// Photos that may or must go from the camera once they are safe here.
struct CameraOriginals: Sendable {
    let context: SessionContext

    private var session: CameraSession { context.session }
    private var ledger: LedgerStore { context.ledger }

    /// A photo is durable and in the ledger: what is no longer needed on the camera's side goes.
    nonisolated(nonsending) func letGo(_ record: CaptureRecord) async {
        if record.object.isInMemory {
            // On the card of such a camera, if it has one, it stays.
            await release(record.object)
        } else if session.facts.mustDeleteAfterSave
            || (session.configured.deletesAfterSave && !session.facts.isPhotosOnly)
        {
            await delete(record)
        }
    }

    /// The worker need not keep a photo from the camera's memory any more, and can take the next.
    nonisolated(nonsending) func release(_ object: CameraObject) async {
        do throws(WorkerFailure) { try await session.delete(object) } catch {
            context.logger.warning("cannot release a photo", metadata: ["reason": "\(error.text)"])
        }
    }

    nonisolated(nonsending) private func delete(_ record: CaptureRecord) async {
        do {
            // Behind the one that is deleted the camera may have another of its name, and tell of it at once.
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

    /// A photo from memory that the ledger knows already: one that is on its way here is kept until it is saved, and one
    /// that came to its end is released.
    ///
    /// - Returns: its record when it is still to be fetched.
    nonisolated(nonsending) func stillToFetch(_ object: CameraObject) async throws -> [CaptureRecord] {
        guard object.isInMemory, let record = try await ledger.capture(of: object, camera: context.identity)
        else { return [] }
        switch record.state {
        case .seen: return [record]
        case .publishing: return []
        // It was taken for one that had been on the card.
        case .skipped: return try await ledger.wantSkipped(object, camera: context.identity)
        case .setAside where record.failure == PhotosLeftInCamera.failure:
            return try await ledger.tryAgain(id: record.id).map { [$0] } ?? []
        case .saved, .duplicate, .setAside:
            await release(object)
            return []
        }
    }
}
