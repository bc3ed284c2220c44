import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// Second readings: what the link did to a photo shows only when its bytes come again.
extension Intake {
    /// Failed attempts at a second reading in one session before it is left to the next.
    private static let rereadAttemptsMax = 3

    /// A photo was saved: it may go from the camera, or is read again first.
    func settleOrReread(_ saved: CaptureRecord) async {
        guard saved.verified == .awaitingReread else { return await letGo(saved) }
        rereads.append([saved])
    }

    /// What earlier sessions left to be read again and is on the card.
    func takeUpRereads(on card: Set<CameraObject>) async throws {
        await endAwaitingRereadOfPast()
        let awaiting = try await shared.ledger.awaitingReread(camera: identity)
        rereads.append(awaiting.filter { card.contains($0.object) })
        tellUnread(awaiting.filter { !card.contains($0.object) }.count)
    }

    /// The next photo to read again, when nothing else is to be done on the link and there is room for it.
    func nextToReread() -> CaptureRecord? {
        guard isListed, queue.isEmpty, isLinkFree, quiet.isQuiet, let next = rereads.first,
            shared.room.hasRoom(for: next.bytes ?? next.object.size),
            shared.folders.restore() == .there
        else { return nil }
        return rereads.next()
    }

    /// Reads a photo again and judges what came.
    func reread(_ record: CaptureRecord) async {
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            let result = try await session.fetch(record.object, into: partPath)
            ended(rereading: record)
            await judge(record, result, partPath)
        } catch {
            ended(rereading: record)
            await rereadFailed(record, error)
        }
        try? DurableFile.remove(partPath)
        wakeUp()
    }

    private func judge(_ record: CaptureRecord, _ result: FetchResult, _ partPath: String) async {
        let onDisk = record.sha256 ?? ""
        var readings = self.readings[record.id] ?? Readings(onDisk: onDisk)
        let verdict = readings.read(result.sha256)
        self.readings[record.id] = readings
        if readings.haveDiffered, verdict == .again {
            shared.logger.notice(
                "other bytes at a second reading", metadata: ["name": "\(record.object.name)"])
        }
        switch verdict {
        case .again: return rereads.putBack(record)
        case .undecided:
            self.readings[record.id] = nil
            trust.settled(differed: true)
            return tellTrust()
        case .diskIsRight: await settle(record, nil, differed: readings.haveDiffered)
        case .diskIsWrong:
            do {
                let arrival = Arrival(
                    id: record.id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
                let item = Publisher.Item(
                    arrival: arrival, name: record.object.name, partPath: partPath, expectedBytes: nil)
                let corrected = try await shared.publisher.correct(record, with: item, wrong: onDisk)
                shared.logger.warning(
                    "a photo that came with wrong bytes was put right",
                    metadata: ["name": "\(record.object.name)", "path": "\(corrected.path)"])
                await settle(record, corrected, differed: true)
            } catch {
                shared.logger.error(
                    "cannot put a photo right",
                    metadata: ["name": "\(record.object.name)", "reason": "\(error)"])
            }
        }
    }

    /// What came as a duplicate gave the bytes of its twin a second time: the twin does not wait any more.
    func twinWasReread(_ duplicate: CaptureRecord) async {
        guard let id = duplicate.twinID, let twin = try? await shared.ledger.capture(id: id) else { return }
        let differed = readings.removeValue(forKey: id)?.haveDiffered ?? false
        rereads.remove(id)
        trust.settled(differed: differed)
        tellTrust()
        shared.onCapture(twin)
        if twin.bodyID == identity, twin.object != duplicate.object { await letGo(twin) }
    }

    /// What a camera had under a name that it has begun anew, and has no more, cannot be read again.
    func endAwaitingRereadOfPast() async {
        do {
            for record in try await shared.ledger.endAwaitingRereadOfPast(camera: identity) {
                shared.onCapture(record)
            }
        } catch { shared.concern.failed(error) }
    }

    private func settle(
        _ record: CaptureRecord, _ corrected: (path: String, bytes: UInt64, sha256: String)?, differed: Bool
    ) async {
        readings[record.id] = nil
        trust.settled(differed: differed)
        tellTrust()
        await settle(record, as: .reread, corrected)
    }

    private func settle(
        _ record: CaptureRecord, as verified: CaptureVerification,
        _ corrected: (path: String, bytes: UInt64, sha256: String)? = nil
    ) async {
        do {
            guard
                let settled = try await shared.ledger.settleReading(
                    id: record.id, as: verified, corrected: corrected)
            else { return }
            shared.concern.works()
            hasProgress = true
            shared.onCapture(settled)
            if verified == .reread { await letGo(settled) }
        } catch {
            // It is read again in the next session.
            shared.concern.failed(error)
        }
    }

    private func rereadFailed(_ record: CaptureRecord, _ failure: WorkerFailure) async {
        switch failure.kind {
        case .disconnected, .timeout: end = end ?? .lost(afterProgress: hasProgress)
        // Deleted in the camera meanwhile: there is nothing to hold the file against any more.
        case .objectGone:
            shared.logger.notice(
                "gone before it was read a second time", metadata: ["name": "\(record.object.name)"])
            await settle(record, as: .structure)
        default:
            rereadAttempts[record.id, default: 0] += 1
            guard rereadAttempts[record.id, default: 0] < Self.rereadAttemptsMax else { return }
            rereads.append([record])
        }
    }

    /// A link that changes bytes is named; what it did was put right.
    private func tellTrust() {
        guard trust.isCorrupting else {
            return shared.health.clear(.linkCorrupts, subject: .camera(session.camera))
        }
        shared.health.raise(
            .linkCorrupts, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name): \(trust.differing) photo(s) came with other bytes when they were read again: "
                + (session.configured.isNetwork ? "the network" : "the cable, hub or port")
                + " between camera and computer changes bytes.",
            nextStep: (session.configured.isNetwork
                ? "Look at the access point, its cable and this computer's network adapter. "
                : "Change the cable, leave out hubs, use another port. ")
                + "Photos are taken on: those that came wrong are put right before they are uploaded.")
    }

    /// The session is over, or the card is another one: what waits for its second reading waits for that card.
    func tellUnread(_ count: Int) {
        guard count > 0 else {
            return shared.health.clear(.rereadWaits, subject: .camera(session.camera))
        }
        shared.health.raise(
            .rereadWaits, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name): \(count) photo(s) are saved and wait for their second reading; "
                + "they are not uploaded before.",
            nextStep: "Connect the camera again with the card that they are on. To do without: "
                + "verify = \"structure\" in [capture], and restart the service.")
    }
}
