import Cameras
import Foundation
import FrameFastModel
import Logging
import Store
import WorkerProtocol

/// Second readings: what the link did to a photo shows only when its bytes come again.
final class SecondReadings {
    /// Failed attempts at a second reading in one session before it is left to the next.
    private static let attemptsMax = 3

    private let context: SessionContext
    /// Saved photos that are still to be read a second time.
    private var queue = FetchQueue()
    /// What the readings of photos gave that are not settled.
    private var readings: [CaptureID: Readings] = [:]
    private var attempts: [CaptureID: Int] = [:]
    /// Whether the link is believed.
    private var trust = LinkTrust()

    init(_ context: SessionContext) { self.context = context }

    // MARK: what waits

    /// Whether nothing waits to be read again.
    var isEmpty: Bool { queue.isEmpty }

    /// A photo was saved that is to be read again.
    func append(_ saved: CaptureRecord) { queue.append([saved]) }

    /// What earlier sessions left to be read again and is on the card.
    nonisolated(nonsending) func takeUp(on listing: ObjectList) async throws {
        await endAwaitingOfPast()
        let awaiting = try await context.ledger.awaitingReread(camera: context.identity)
        queue.append(awaiting.filter { listing.contains($0.object) })
        tellUnread(awaiting.filter { !listing.contains($0.object) }.count)
    }

    /// Hands out the next photo to read again, when there is room for it; it comes to its end with ``ended(_:)``.
    func next() -> CaptureRecord? {
        guard let next = queue.first,
            context.shared.room.hasRoom(for: next.bytes ?? next.object.size),
            context.shared.folders.restore() == .there
        else { return nil }
        return queue.next()
    }

    /// What was handed out came to its end, good or bad.
    func ended(_ id: CaptureID) { queue.ended(id) }

    /// What a camera had under a name that it has begun anew, and has no more, cannot be read again.
    nonisolated(nonsending) func endAwaitingOfPast() async {
        do {
            for record in try await context.ledger.endAwaitingRereadOfPast(camera: context.identity) {
                context.shared.onCapture(record)
            }
        } catch { context.shared.concern.failed(error) }
    }

    /// The session is over: what waits for its second reading waits for its card.
    nonisolated(nonsending) func tellUnread() async {
        tellUnread((try? await context.ledger.awaitingReread(camera: context.identity).count) ?? 0)
    }

    // MARK: what came

    /// Judges what a second reading gave.
    ///
    /// - Returns: the photo's record when it is settled.
    nonisolated(nonsending) func judge(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String
    ) async -> CaptureRecord? {
        let onDisk = record.sha256 ?? ""
        var readings = self.readings[record.id] ?? Readings(onDisk: onDisk)
        let verdict = readings.read(result.sha256)
        self.readings[record.id] = readings
        if readings.haveDiffered, verdict == .again {
            context.log("other bytes at a second reading", of: record)
        }
        switch verdict {
        case .again:
            queue.putBack(record)
            return nil
        case .undecided:
            known(record.id, differed: true)
            return nil
        case .diskIsRight:
            known(record.id, differed: readings.haveDiffered)
            return await settle(record, as: .reread)
        case .diskIsWrong:
            guard let corrected = await correct(record, result, partPath, wrong: onDisk) else { return nil }
            known(record.id, differed: true)
            return await settle(record, as: .reread, corrected)
        }
    }

    /// Puts the right bytes in the place of the wrong ones.
    ///
    /// - Returns: `nil` when that failed; it is read again in the next session.
    nonisolated(nonsending) private func correct(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String, wrong: String
    ) async -> (path: String, bytes: UInt64, sha256: String)? {
        let item = Publisher.Item(
            arrival: Arrival(result, of: record.id), name: record.object.name, partPath: partPath,
            expectedBytes: nil, takenAt: context.shared.naming.photo(record).takenAt)
        do {
            let corrected = try await context.shared.publisher.correct(record, with: item, wrong: wrong)
            context.logger.warning(
                "a photo that came with wrong bytes was put right",
                metadata: ["name": "\(record.object.name)", "path": "\(corrected.path)"])
            return corrected
        } catch {
            context.log("cannot put a photo right", .error, of: record, ["reason": "\(error)"])
            return nil
        }
    }

    /// A second reading failed while the camera is there.
    ///
    /// - Returns: the photo's record when it is settled.
    nonisolated(nonsending) func failed(
        _ record: CaptureRecord, _ failure: WorkerFailure
    ) async -> CaptureRecord? {
        guard failure.kind == .objectGone else {
            attempts[record.id, default: 0] += 1
            if attempts[record.id, default: 0] < Self.attemptsMax { queue.append([record]) }
            return nil
        }
        // Deleted in the camera meanwhile: there is nothing to hold the file against any more.
        context.log("gone before it was read a second time", of: record)
        return await settle(record, as: .structure)
    }

    /// What came as a duplicate gave the bytes of its twin a second time: the twin does not wait any more.
    ///
    /// - Returns: the twin's record.
    nonisolated(nonsending) func twinWasRead(_ duplicate: CaptureRecord) async -> CaptureRecord? {
        guard let id = duplicate.twinID, let twin = try? await context.ledger.capture(id: id) else {
            return nil
        }
        let differed = readings[id]?.haveDiffered ?? false
        queue.remove(id)
        known(id, differed: differed)
        context.shared.onCapture(twin)
        return twin
    }

    /// What the readings of a photo say is known: it is no longer read.
    private func known(_ id: CaptureID, differed: Bool) {
        readings[id] = nil
        trust.settled(differed: differed)
        tellTrust()
    }

    nonisolated(nonsending) private func settle(
        _ record: CaptureRecord, as verified: CaptureVerification,
        _ corrected: (path: String, bytes: UInt64, sha256: String)? = nil
    ) async -> CaptureRecord? {
        do {
            guard
                let settled = try await context.ledger.settleReading(
                    id: record.id, as: verified, corrected: corrected)
            else { return nil }
            context.shared.concern.works()
            return settled
        } catch {
            // It is read again in the next session.
            context.shared.concern.failed(error)
            return nil
        }
    }

    // MARK: what people are told

    /// A link that changes bytes is named; what it did was put right.
    private func tellTrust() {
        guard trust.isCorrupting else { return context.clear(.linkCorrupts) }
        let isNetwork = context.session.configured.isNetwork
        context.raise(
            .linkCorrupts,
            sentence:
                "\(context.name): \(trust.differing) photo(s) came with other bytes when they were read again: "
                + (isNetwork ? "the network" : "the cable, hub or port")
                + " between camera and computer changes bytes.",
            nextStep: (isNetwork
                ? "Look at the access point, its cable and this computer's network adapter. "
                : "Change the cable, leave out hubs, use another port. ")
                + "Photos are taken on: those that came wrong are put right before they are uploaded.")
    }

    private func tellUnread(_ count: Int) {
        guard count > 0 else { return context.clear(.rereadWaits) }
        context.raise(
            .rereadWaits,
            sentence:
                "\(context.name): \(count) photo(s) are saved and wait for their second reading; "
                + "they are not uploaded before.",
            nextStep: "Connect the camera again with the card that they are on. To do without: "
                + "verify = \"structure\" in [capture], and restart the service.")
    }
}
