import Cameras
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage
import WorkerProtocol

/// Decides what becomes of a photo that did not come in, or came damaged: it is asked for again, waits for a quieter moment,
/// or is left for a person, and people are told.
final class FetchFailures {
    /// Where a photo goes that is asked for again at once.
    enum Place: Hashable, Sendable {
        /// Before the others: nothing is wrong with it.
        case before
        /// Behind the others: what can be fetched must not wait for it.
        case behind
    }

    private let context: SessionContext
    private let outcome: SessionOutcome
    private let setAside: SetAsidePhotos
    private let originals: CameraOriginals
    /// Photos that the last session did not find where the camera had announced them, and that were listed again since.
    private let nowhereBefore: Set<CaptureID>
    /// What is known of each.
    var photos = FailedPhotos()

    init(
        _ context: SessionContext, outcome: SessionOutcome, setAside: SetAsidePhotos,
        originals: CameraOriginals, nowhereBefore: Set<CaptureID> = []
    ) {
        self.context = context
        self.nowhereBefore = nowhereBefore
        self.outcome = outcome
        self.setAside = setAside
        self.originals = originals
    }

    /// A photo came to a good end, or to an end.
    func ended(_ record: CaptureRecord) {
        if photos.ended(record.id) { context.clear(.photoFailing) }
    }

    // MARK: what went wrong

    /// Photos wait, and their card is not in the camera, as far as one can tell.
    func cardIsAway(_ records: [CaptureRecord]) {
        guard let last = records.last else { return }
        photos.areAway(records.map(\.id))
        context.raise(
            .photoFailing,
            sentence: "\(context.name): \(records.count) photo(s) wait, and the card in the camera does not "
                + "have them (last: \(SafeName.component(last.object.name))).",
            nextStep: "If their card was taken out, put it back into the camera: they are fetched then. "
                + "Do not format it. If they were deleted on the camera, there is nothing to do.")
    }

    /// A fetch failed.
    ///
    /// - Parameter wasOnLink: whether its bytes were coming just then.
    /// - Returns: where the photo goes; `nil` when it is not asked for at once.
    nonisolated(nonsending) func failed(
        _ record: CaptureRecord, _ failure: WorkerFailure, wasOnLink: Bool
    ) async -> Place? {
        switch failure.kind {
        case .disconnected, .timeout:
            // Every fetch under way fails with the session; only the one on the link can be to blame for it.
            if wasOnLink, outcome.blames() { await count(record, failure.text) }
            outcome.lost()
            return nil
        case .diskFull:
            context.shared.room.writeFailed()
            // It may be larger than it was announced, and what fits must not wait for it.
            return .behind
        case .hostIO:
            return hostFailed(
                record, SystemCallError(call: "write", subject: failure.text, errno: .ioError))
        case .tooLarge:
            context.log("too large for the connection", of: record, ["reason": "\(failure.text)"])
            await leave(record, SetAsidePhotos.tooLarge, keeping: nil)
            return nil
        case .objectGone where record.twinID != nil: return await goneTwin(record, failure.text)
        case .objectGone, .busy, .occupied, .notFocused, .permission, .refused, .unsupported, .corrupt,
            .noDriver, .unguarded:
            context.log("cannot fetch", of: record, ["reason": "\(failure.text)"])
            // Somebody may have deleted it on the camera: the next listing tells, before people are alarmed.
            let isDoubted = failure.kind == .objectGone && !nowhereBefore.contains(record.id)
            return await tryAgain(record, failure.text, isAlarming: !isDoubted)
        }
    }

    /// A photo came and is damaged.
    ///
    /// - Parameters:
    ///   - cameTwice: whether the same bytes came before: then it is so on the card. Else it is read twice before that is
    ///     believed: a flipped or missing byte on the way differs the second time.
    ///   - sha256: what came.
    /// - Returns: where the photo goes; `nil` when it is not asked for at once.
    nonisolated(nonsending) func cameDamaged(
        _ record: CaptureRecord, _ how: String, cameTwice: Bool, sha256: String, _ partPath: String
    ) async -> Place? {
        guard !cameTwice else { return await leave(record, how, keeping: partPath) }
        context.log("fetching again", of: record, ["why": "\(how)"])
        photos.cameDamaged(record.id, sha256: sha256)
        try? DurableFile.remove(partPath)
        return await tryAgain(record, how)
    }

    /// The computer could not take a photo.
    ///
    /// - Returns: where the photo goes; `nil` when it waits for a quieter moment.
    func hostFailed(_ record: CaptureRecord, _ error: SystemCallError) -> Place? {
        let standing = context.shared.folders.restore()
        let directory = context.shared.settings.directory
        guard standing == .there else {
            context.log("the folder for photos was moved or removed", of: record, ["path": "\(directory)"])
            return .before
        }
        context.log("cannot save", .error, of: record, ["reason": "\(error)"])
        guard !error.isDiskFull else {
            context.shared.room.writeFailed()
            return .before
        }
        photos.park(record)
        guard !error.errno.isExhausted else {
            // The disk is well: the service has too few open files, or too little memory.
            context.shared.health.reportShortage(
                .folder(context.shared.settings.incomingFolder),
                "photos wait on the card, because they cannot be saved", error.errno)
            return nil
        }
        context.shared.health.raise(
            .saveFailing, sentence: "Photos cannot be saved: \(error).",
            nextStep: "Check the disk that holds \(directory); they stay on the card and are retried.")
        return nil
    }

    // MARK: what becomes of it

    /// A photo that agrees with one that was deleted on the camera, and is not there, was told of once more behind that.
    /// A camera may not know a photo for a moment, so it is asked as often as for any other before it is forgotten; what
    /// is there all the same is told of by the next session.
    nonisolated(nonsending) private func goneTwin(_ record: CaptureRecord, _ why: String) async -> Place? {
        guard photos.failed(record.id, ever: record.attempts) else { return .behind }
        guard (try? await context.ledger.forgetToldAgain([record.id]).isEmpty) == false else {
            return await tryAgain(record, why)
        }
        ended(record)
        return nil
    }

    /// A photo goes behind the others; after some attempts it waits for a quieter moment. One that is known to be damaged
    /// has told so already: after some attempts it stays as it was until the next time.
    ///
    /// - Parameter isAlarming: Whether people are told if there were too many attempts.
    nonisolated(nonsending) private func tryAgain(
        _ record: CaptureRecord, _ why: String, isAlarming: Bool = true
    ) async -> Place? {
        guard !setAside.contains(record.id) else {
            return photos.failed(record.id, ever: 0) ? nil : .behind
        }
        guard await count(record, why, isAlarming: isAlarming) else { return .behind }
        photos.park(record)
        return nil
    }

    /// Counts a failed attempt, in this session and in the ledger; says so when there were too many.
    ///
    /// - Parameter isAlarming: Whether people are told.
    /// - Returns: whether there were.
    @discardableResult
    nonisolated(nonsending) private func count(
        _ record: CaptureRecord, _ why: String, isAlarming: Bool = true
    ) async -> Bool {
        let ever = (try? await context.ledger.countFailure(id: record.id, failure: why)) ?? 0
        guard photos.failed(record.id, ever: ever) else { return false }
        guard isAlarming else { return true }
        context.raise(
            .photoFailing,
            sentence: "\(context.name): \(photos.failingCount) photo(s) cannot be fetched (last: \(why)); "
                + "the others are taken.",
            nextStep: "Nothing to do now: they are retried. Do not format the card.")
        return true
    }

    /// Leaves a photo for a person.
    ///
    /// - Parameter partPath: What came of it; only when that is kept the camera may let go of it.
    /// - Returns: where the photo goes when it could not be kept.
    @discardableResult
    nonisolated(nonsending) private func leave(
        _ record: CaptureRecord, _ how: String, keeping partPath: String?
    ) async -> Place? {
        if let partPath {
            do { try await setAside.keep(partPath, of: record) } catch { return hostFailed(record, error) }
        }
        do { try await context.ledger.setAside(id: record.id, failure: how) } catch {
            outcome.ledgerFailed(error)
            return nil
        }
        ended(record)
        if partPath != nil, record.object.isInMemory { await originals.release(record.object) }
        await setAside.append(record.id, how)
        return nil
    }
}

extension WorkerFailure {
    /// Whether the camera or its worker is gone: only a new session helps.
    var isLoss: Bool { kind == .disconnected || kind == .timeout }
}
