import Cameras
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage
import WorkerProtocol

/// The handling of photos that could not be fetched or are damaged. Each photo is retried, parked until an
/// idle moment, or set aside for the user. The type also raises the conditions for these photos.
final class FetchFailures {
    /// The position of a retried photo in the queue.
    enum RetryPosition: Hashable, Sendable {
        /// At the front, because the photo itself is not the cause.
        case front
        /// At the end, because the photo must not block other photos.
        case end
    }

    private let context: ConnectionContext
    private let outcome: ConnectionOutcome
    private let setAside: SetAsidePhotos
    private let cleanup: CameraCleanup
    /// The photos in ``SeenObjects/notFound`` at the end of the last connection.
    private let notFoundBefore: Set<CaptureID>
    /// The failed photos of this connection.
    var photos = FailedPhotos()
    /// The count of the last call of ``reportRefused(_:)`` in this connection.
    private var refusedCount: Int? = 0

    init(
        _ context: ConnectionContext, outcome: ConnectionOutcome, setAside: SetAsidePhotos,
        cleanup: CameraCleanup, notFoundBefore: Set<CaptureID> = []
    ) {
        self.context = context
        self.notFoundBefore = notFoundBefore
        self.outcome = outcome
        self.setAside = setAside
        self.cleanup = cleanup
    }

    /// Forgets a photo that was saved or set aside. After the last failing photo, clears the condition, or
    /// reports again that the camera refuses access to its card.
    func forget(_ record: CaptureRecord) {
        guard photos.remove(record.id) else { return }
        if refusedCount == 0 { context.clear(.photoFailing) } else { reportRefused(refusedCount) }
    }

    // MARK: causes

    /// Reports photos that wait for a card that is probably not in the camera.
    func reportMissingCard(_ records: [CaptureRecord]) {
        guard let last = records.last else { return }
        photos.markFailing(records.map(\.id))
        context.raise(
            .photoFailing,
            sentence: "\(context.name): \(records.count) photo(s) wait, but they are not on the card in the "
                + "camera (last: \(SafeName.component(last.object.name))).",
            nextStep: "If you changed the card, put the previous card back into the camera to fetch them. "
                + "Do not format that card. If you deleted the photos on the camera, no action is needed.")
    }

    /// Reports that the camera refuses access to its card. In "Connect to PC", a Nikon opens the session but
    /// denies access to each object (libgphoto2 issue 976).
    ///
    /// - Parameter count: The number of objects that the camera refuses to describe, or `nil` if the card
    ///   cannot be listed.
    func reportRefused(_ count: Int?) {
        refusedCount = count
        guard count != 0 else { return }
        let mode =
            context.connection.configured.isNetwork
            ? "If the camera's Wi-Fi is set to connect to a computer, start its Wi-Fi for a smart device "
                + "instead. Otherwise, connect the camera again, or copy the photos with a card reader."
            : "Connect the camera again, or copy the photos with a card reader."
        context.raise(
            .photoFailing,
            sentence: "\(context.name): the camera refuses access to "
                + (count.map { "\($0) file(s) or folder(s) on its card" } ?? "its card")
                + ". Photos there cannot be fetched.",
            nextStep: mode + " Do not format the card.")
    }

    /// Handles a failed fetch.
    ///
    /// - Parameter wasOnLink: Whether the photo's bytes were being transferred when the fetch failed.
    /// - Returns: The position in the queue for a retry, or `nil` if the photo is not retried immediately.
    nonisolated(nonsending) func handleFailure(
        _ record: CaptureRecord, _ failure: WorkerFailure, wasOnLink: Bool
    ) async -> RetryPosition? {
        switch failure.kind {
        case .disconnected, .timeout:
            // All running fetches fail with the connection. Only the fetch on the link can be the cause.
            if wasOnLink, outcome.claimBlame() { await countFailure(record, failure.text) }
            outcome.markLost()
            return nil
        case .diskFull:
            context.shared.freeSpace.recordWriteFailure()
            // The photo may be larger than announced. Photos that fit on the disk must not wait for this
            // photo.
            return .end
        case .hostIO, .fileTooLarge:
            let errno: Errno = failure.kind == .hostIO ? .ioError : .fileTooLarge
            return handleHostFailure(
                record, SystemCallError(call: "write", subject: failure.text, errno: errno),
                in: context.shared.settings.incomingFolder)
        case .tooLarge:
            context.log("too large for the connection", of: record, ["reason": "\(failure.text)"])
            await setAsidePhoto(record, SetAsidePhotos.tooLarge, keeping: nil)
            return nil
        case .objectGone where record.duplicateOf != nil:
            return await handleGoneDuplicate(record, failure.text)
        case .objectGone, .busy, .occupied, .notFocused, .permission, .refused, .unsupported, .corrupt,
            .noDriver, .unguarded:
            context.log("cannot fetch", of: record, ["reason": "\(failure.text)"])
            // The photo may have been deleted on the camera. The condition is raised only if the photo is
            // still missing after the next listing.
            let isDoubted = failure.kind == .objectGone && !notFoundBefore.contains(record.id)
            return await retry(record, failure.text, raisesCondition: !isDoubted)
        }
    }

    /// Handles a damaged photo.
    ///
    /// - Parameters:
    ///   - matchesEarlier: Whether an earlier transfer returned the same bytes. If so, the photo is damaged
    ///     on the card. Otherwise, the photo is fetched again, because another transfer may be free of
    ///     errors.
    ///   - sha256: The hash of the received bytes.
    /// - Returns: The position in the queue for a retry, or `nil` if the photo is not retried immediately.
    nonisolated(nonsending) func handleDamaged(
        _ record: CaptureRecord, _ how: String, matchesEarlier: Bool, sha256: String, _ partPath: String
    ) async -> RetryPosition? {
        guard !matchesEarlier else { return await setAsidePhoto(record, how, keeping: partPath) }
        context.log("fetching again", of: record, ["why": "\(how)"])
        photos.recordDamaged(record.id, sha256: sha256)
        try? DurableFile.remove(partPath)
        return await retry(record, how)
    }

    /// Handles a photo that the computer could not save.
    ///
    /// - Parameter folder: The folder of the failed write, or `nil` for the folder in which the photo will be
    ///   saved.
    /// - Returns: The position in the queue for a retry, or `nil` if the photo is parked until an idle
    ///   moment.
    func handleHostFailure(
        _ record: CaptureRecord, _ error: SystemCallError, in folder: String? = nil
    ) -> RetryPosition? {
        let availability = context.shared.folders.restore()
        let directory = context.shared.settings.directory
        guard availability == .existing else {
            context.log("the photo folder was moved or removed", of: record, ["path": "\(directory)"])
            return .front
        }
        context.log("cannot save", .error, of: record, ["reason": "\(error)"])
        // The folder of a photo can be on another disk, for example through a symbolic link. Photos for other
        // folders do not wait for that disk.
        let other = context.shared.freeSpace.folderOnOtherDisk(of: error.subject)
        guard !error.isDiskFull || other != nil else {
            context.shared.freeSpace.recordWriteFailure()
            return .front
        }
        if error.errno == .fileTooLarge,
            context.shared.freeSpace.recordRefusedSize(
                record.object.size, in: folder ?? context.shared.naming.folder(of: record))
        {
            return .end
        }
        photos.park(record)
        guard !error.errno.isExhausted else {
            // The disk works, but the service lacks file descriptors or memory.
            context.shared.conditionBoard.reportShortage(
                .folder(context.shared.settings.incomingFolder),
                "photos wait on the card, because they cannot be saved", error.errno)
            return nil
        }
        let place = other ?? directory
        context.shared.conditionBoard.raise(
            .saveFailing, sentence: "Photos cannot be saved: \(error).",
            nextStep: error.isDiskFull
                ? "Free some space in \(place). The photos stay on the card and are retried."
                : "Check the disk that holds \(place). The photos stay on the card and are retried.")
        return nil
    }

    // MARK: decisions

    /// Handles a missing photo whose facts equal those of an earlier photo. The fetch is retried as often as
    /// for other photos, because a camera may temporarily not find a photo. After the last attempt, the
    /// ledger forgets the record. If the photo still exists, the next connection lists it.
    nonisolated(nonsending) private func handleGoneDuplicate(_ record: CaptureRecord, _ why: String) async
        -> RetryPosition?
    {
        guard photos.recordFailure(record.id, ever: record.attempts) else { return .end }
        guard (try? await context.ledger.forgetReannounced([record.id]).isEmpty) == false else {
            return await retry(record, why)
        }
        forget(record)
        return nil
    }

    /// Moves a photo to the end of the queue. After too many attempts the photo is parked until an idle
    /// moment. A photo that is already set aside as damaged waits for the next retry of damaged photos
    /// instead.
    ///
    /// - Parameter raisesCondition: Whether a condition is raised after too many attempts.
    nonisolated(nonsending) private func retry(
        _ record: CaptureRecord, _ why: String, raisesCondition: Bool = true
    ) async -> RetryPosition? {
        guard !setAside.contains(record.id) else {
            return photos.recordFailure(record.id, ever: 0) ? nil : .end
        }
        guard await countFailure(record, why, raisesCondition: raisesCondition) else { return .end }
        photos.park(record)
        return nil
    }

    /// Counts a failed attempt in this connection and in the ledger, and raises a condition after too many
    /// attempts.
    ///
    /// - Parameter raisesCondition: Whether the condition is raised.
    /// - Returns: Whether the photo failed too often.
    @discardableResult
    nonisolated(nonsending) private func countFailure(
        _ record: CaptureRecord, _ why: String, raisesCondition: Bool = true
    ) async -> Bool {
        let ever = (try? await context.ledger.countFailure(id: record.id, failure: why)) ?? 0
        guard photos.recordFailure(record.id, ever: ever) else { return false }
        guard raisesCondition else { return true }
        context.raise(
            .photoFailing,
            sentence: "\(context.name): \(photos.failingCount) photo(s) cannot be fetched (last: \(why)); "
                + "the other photos are fetched.",
            nextStep: "No action is needed now: FrameFast retries these photos. Do not format the card.")
        return true
    }

    /// Sets a photo aside for the user.
    ///
    /// - Parameter partPath: The path of the received bytes, or `nil` if no bytes were received. A photo in
    ///   the camera's memory is released after the bytes are saved.
    /// - Returns: The position in the queue for a retry after the bytes could not be saved, or `nil` if the
    ///   photo was set aside or parked.
    @discardableResult
    nonisolated(nonsending) private func setAsidePhoto(
        _ record: CaptureRecord, _ how: String, keeping partPath: String?
    ) async -> RetryPosition? {
        if let partPath {
            do { try await setAside.saveBytes(partPath, of: record) } catch {
                return handleHostFailure(record, error)
            }
            SimulatedHost.pass(.damagedBytesSaved)
        }
        do { try await context.ledger.setAside(id: record.id, failure: how) } catch {
            outcome.recordLedgerFailure(error)
            return nil
        }
        SimulatedHost.pass(.photoSetAside)
        forget(record)
        if partPath != nil, record.object.isInMemory { await cleanup.release(record.object) }
        await setAside.append(record.id, how)
        return nil
    }
}

extension WorkerFailure {
    /// Whether the connection to the camera or its worker is lost. Only a new connection can fetch photos
    /// again.
    var isLoss: Bool { kind == .disconnected || kind == .timeout }
}
