import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage
import WorkerProtocol

/// What becomes of a photo that did not come in, or came in damaged.
extension Intake {
    func fetchFailed(_ record: CaptureRecord, _ failure: WorkerFailure, wasOnLink: Bool) async {
        switch failure.kind {
        case .disconnected, .timeout:
            // Every fetch under way fails with the session; only the one on the link can be to blame for it.
            if wasOnLink, !hasBlamed, end != .stopping {
                hasBlamed = true
                await countFailure(record, failure.text)
            }
            end = end ?? .lost(afterProgress: hasProgress)
        case .diskFull:
            shared.room.writeFailed()
            // Behind the others: it may be larger than it was announced, and what fits must not wait for it.
            queue.append([record])
        case .hostIO:
            hostFailed(record, SystemCallError(call: "write", subject: failure.text, errno: .ioError))
        case .tooLarge: await leaveTooLarge(record, failure.text)
        case .objectGone where record.twinID != nil: await goneTwin(record, failure.text)
        case .objectGone:
            logCannotFetch(record, failure)
            await tryAgain(record, failure.text)
            lookForIt(record)
        case .busy, .permission, .refused, .unsupported, .corrupt, .noDriver, .unguarded:
            logCannotFetch(record, failure)
            await tryAgain(record, failure.text)
        }
    }

    private func logCannotFetch(_ record: CaptureRecord, _ failure: WorkerFailure) {
        shared.logger.notice(
            "cannot fetch", metadata: ["name": "\(record.object.name)", "reason": "\(failure.text)"])
    }

    /// A photo that this session heard of and that is nowhere may have been told of with another folder than it is in: a new
    /// session lists what is there. Once: what is not where that session says is asked for now and then.
    private func lookForIt(_ record: CaptureRecord) {
        guard failed.isFailing(record.id), !isOfEarlier(record) else { return }
        hasNewDoubts = true
        quiet.heard()
    }

    /// A photo that agrees with one that was deleted on the camera, and is not there, was told of once more behind that.
    /// A camera may not know a photo for a moment, so it is asked as often as for any other before it is forgotten; what
    /// is there all the same is told of by the next session.
    private func goneTwin(_ record: CaptureRecord, _ why: String) async {
        guard failed.failed(record.id, ever: record.attempts) else { return queue.append([record]) }
        guard (try? await shared.ledger.forgetToldAgain([record.id]).isEmpty) == false else {
            return await tryAgain(record, why)
        }
        failsNoMore(record)
    }

    /// Puts a photo behind the others; after some attempts it waits for a quieter moment. One that is known to be damaged
    /// has told so already: after some attempts it stays as it was until the next time.
    func tryAgain(_ record: CaptureRecord, _ why: String) async {
        guard damaged[record.id] == nil else {
            if !failed.failed(record.id, ever: 0) { queue.append([record]) }
            return
        }
        guard await countFailure(record, why) else { return queue.append([record]) }
        failed.park(record)
    }

    /// Counts a failed attempt, in this session and in the ledger; says so when there were too many.
    ///
    /// - Returns: whether there were.
    @discardableResult
    private func countFailure(_ record: CaptureRecord, _ why: String) async -> Bool {
        let ever = (try? await shared.ledger.countFailure(id: record.id, failure: why)) ?? 0
        guard failed.failed(record.id, ever: ever) else { return false }
        shared.health.raise(
            .photoFailing, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name): \(failed.failingCount) photo(s) cannot be fetched (last: \(why)); "
                + "the others are taken.",
            nextStep: "Nothing to do now: they are retried. Do not format the card.")
        return true
    }

    /// A photo came to a good end, or to an end.
    func failsNoMore(_ record: CaptureRecord) {
        guard failed.ended(record.id) else { return }
        shared.health.clear(.photoFailing, subject: .camera(session.camera))
    }

    func hostFailed(_ record: CaptureRecord, _ error: SystemCallError) {
        let standing = shared.folders.restore()
        guard standing == .there else {
            shared.logger.notice(
                "the folder for photos was moved or removed",
                metadata: ["path": "\(shared.settings.directory)", "name": "\(record.object.name)"])
            return queue.putBack(record)
        }
        shared.logger.error("cannot save", metadata: ["name": "\(record.object.name)", "reason": "\(error)"])
        guard !error.isDiskFull else {
            shared.room.writeFailed()
            return queue.putBack(record)
        }
        failed.park(record)
        shared.health.raise(
            .saveFailing, sentence: "Photos cannot be saved: \(error).",
            nextStep:
                "Check the disk that holds \(shared.settings.directory); they stay on the card and are retried."
        )
    }

    /// Keeps what came of a photo that is damaged; only then the camera may let go of it.
    func setAside(_ record: CaptureRecord, _ how: String, _ partPath: String) async {
        // A person may ask for it again at any moment: the next fetch takes the part file's name.
        let came = shared.parts.asidePath(record.id)
        do {
            try? DurableFile.remove(came)
            _ = try DurableFile.publish(partPath, as: came)
            try await shared.publisher.keepAside(
                came, as: setAsidePath(record), isOnlyHere: record.object.isInMemory)
        } catch { return hostFailed(record, error) }
        do { try await shared.ledger.setAside(id: record.id, failure: how) } catch {
            ledgerFailure = error
            end = .lost(afterProgress: hasProgress)
            return
        }
        failsNoMore(record)
        if record.object.isInMemory { await release(record.object) }
        if var told = try? await shared.ledger.capture(id: record.id) {
            told.failure = how
            shared.onCapture(told)
            damaged[told.id] = told
        }
        tellDamaged()
    }

    /// Reads what is damaged once more, behind everything else: what was wrong may have been the reader, the cable or the
    /// moment, and not the card.
    func readDamagedAgain() {
        // A camera's memory gives a photo once.
        let again = damaged.values.filter { !$0.object.isInMemory && !isLeftForAnotherLink($0) }.sorted {
            $0.id < $1.id
        }
        for record in again { _ = failed.ended(record.id) }
        queue.append(again)
    }

    /// A photo that was damaged came whole: what was kept of the damaged one is not needed any more.
    func isWholeNow(_ record: CaptureRecord) {
        guard damaged.removeValue(forKey: record.id) != nil else { return }
        try? DurableFile.remove(setAsidePath(record))
        tellDamaged()
    }

    private func setAsidePath(_ record: CaptureRecord) -> String {
        "\(shared.settings.setAsideFolder)/\(record.id)-\(SafeName.component(record.object.name))"
    }

    /// Takes what an earlier session set aside, as far as it is still on the card. What was set aside under misread facts
    /// is forgotten when nothing of it came: the card has the photo under its own. So is what the card has in another folder
    /// now, and what came whole from there; what was kept of it stays.
    func tellDamaged(on card: Set<CameraObject>) async throws {
        let waiting = try await shared.ledger.waitingForPerson(camera: identity)
        damaged = Dictionary(
            uniqueKeysWithValues: waiting.filter { card.contains($0.object) }.map { ($0.id, $0) })
        let nothing = waiting.filter { record in
            isOfEarlier(record) && !record.object.isInMemory && damaged[record.id] == nil
                && CameraMemory.looksCutShort(record.object, givesTimes: givesTimes)
                && !isKeptAside(record)
        }
        try await shared.ledger.forget(nothing.map(\.id))
        for record in nothing { try? DurableFile.remove(setAsidePath(record)) }
        let wherever = Set(card.compactMap(\.wherever))
        try await shared.ledger.forgetSavedElsewhere(
            waiting.filter { record in
                isOfEarlier(record) && damaged[record.id] == nil
                    && record.object.wherever.map(wherever.contains) == true
            }.map(\.id))
        tellDamaged()
    }

    /// A photo came whole that agrees with another one in all but its folder: that one is forgotten when it was damaged and
    /// the card has it no more where it was.
    func forgetDamaged(_ twin: CaptureID) async {
        guard isListed, damaged[twin] == nil else { return }
        try? await shared.ledger.forgetSavedElsewhere([twin])
    }

    /// Whether bytes of a photo lie among those that were set aside.
    private func isKeptAside(_ record: CaptureRecord) -> Bool {
        do { return try FileReader(setAsidePath(record)).size > 0 } catch {
            return error.errno != .noSuchFileOrDirectory
        }
    }

    func tellDamaged() {
        tellTooLarge()
        let damaged = damaged.filter { $0.value.failure != Self.tooLarge }
        guard let last = damaged.values.max(by: { $0.id < $1.id }) else {
            return shared.health.clear(.photoDamaged, subject: .camera(session.camera))
        }
        let name = SafeName.component(last.object.name)
        let why = last.failure ?? "unreadable"
        let isOnlyHere = damaged.values.allSatisfy(\.object.isInMemory)
        let place = isOnlyHere ? "came damaged from the camera's memory" : "damaged on the card"
        shared.health.raise(
            .photoDamaged, subject: .camera(session.camera),
            sentence: "\(session.configured.name): "
                + (damaged.count == 1
                    ? "\(name) \(isOnlyHere ? "" : "is ")\(place) (\(why))."
                    : "\(damaged.count) photos \(isOnlyHere ? "" : "are ")\(place) (last: \(name), \(why))."),
            nextStep: isOnlyHere
                ? "What came is in \(shared.settings.setAsideFolder). The camera's memory has it no more: look for it "
                    + "on the camera's card, if it has one."
                : "Look at it on the camera: it stays on the card and is read again now and then. "
                    + "'framefast captures retry' reads it now; what could be read is in "
                    + "\(shared.settings.setAsideFolder)."
        )
    }
}
