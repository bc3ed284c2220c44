import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// The second readings of saved photos. A second reading with different bytes reveals a transfer error.
final class SecondReadings {
    /// The number of failed attempts at a second reading after which the photo waits for the next connection.
    private static let attemptsMax = 3

    private let context: ConnectionContext
    /// The saved photos that wait for their second reading.
    private var queue = FetchQueue()
    /// The results of readings so far, by photo.
    private var readings: [CaptureID: Readings] = [:]
    private var attempts: [CaptureID: Int] = [:]
    /// The photos that this connection saved. Their files are from this camera.
    private var savedNow: Set<CaptureID> = []
    /// Whether a second reading found another photo in place of a saved photo. Only a new listing adds the
    /// other photo to the ledger.
    private(set) var hasOtherPhoto = false
    /// The photos whose second readings ended a connection, in the order of the last such reading.
    private(set) var lostRereads: [CaptureID]
    /// The reliability of the link, estimated from second readings.
    private var trust = LinkTrust()

    /// - Parameter lostRereads: The photos whose second readings ended an earlier connection. The camera's
    ///   other photos are read first.
    init(_ context: ConnectionContext, lostRereads: [CaptureID] = []) {
        self.context = context
        self.lostRereads = lostRereads
    }

    // MARK: queue

    /// Whether no photo waits for its second reading.
    var isEmpty: Bool { queue.isEmpty }

    /// Queues a photo for its second reading. This connection has saved the photo.
    func append(_ saved: CaptureRecord) {
        savedNow.insert(saved.id)
        queue.append([saved])
    }

    /// Queues the photos of earlier connections that wait for their second reading and are on the card.
    nonisolated(nonsending) func loadAwaiting(on listing: ObjectList) async throws {
        await endAwaitingOfPast()
        let awaiting = try await context.ledger.awaitingReread(camera: context.identity)
        lostRereads.removeAll { id in !awaiting.contains { $0.id == id } }
        let onCard = awaiting.filter { listing.contains($0.object) }
        queue.append(onCard.filter { !lostRereads.contains($0.id) })
        queue.append(lostRereads.compactMap { id in onCard.first { $0.id == id } })
        updateWaitingCondition(awaiting.filter { !listing.contains($0.object) }.count)
    }

    /// Returns the next photo to read again. Returns `nil` if no photo waits, the next photo does not fit on
    /// the disk, or the service's folders are not ready. Call ``finish(_:)`` after the reading.
    func next() -> CaptureRecord? {
        guard let next = queue.first,
            context.shared.freeSpace.hasSpace(for: next.bytes ?? next.object.size),
            context.shared.folders.restore() == .existing
        else { return nil }
        return queue.next()
    }

    /// Removes a photo whose reading ended, successfully or not.
    func finish(_ id: CaptureID) { queue.finish(id) }

    /// Ends the wait of photos whose names the camera has started to reuse. Such photos cannot be read again,
    /// because the names now belong to other photos.
    nonisolated(nonsending) func endAwaitingOfPast() async {
        do {
            for record in try await context.ledger.endAwaitingRereadOfPast(camera: context.identity) {
                context.shared.onCapture(record)
            }
        } catch { context.shared.ledgerCondition.raise(error) }
    }

    /// Raises the condition if photos still wait for their second reading, or clears the condition. Called
    /// when the connection ends.
    nonisolated(nonsending) func updateWaitingCondition() async {
        updateWaitingCondition(
            (try? await context.ledger.awaitingReread(camera: context.identity).count) ?? 0)
    }

    // MARK: results

    /// Evaluates the result of a second reading.
    ///
    /// - Returns: The photo's record if its verification is complete, or if the photo is a duplicate of
    ///   another saved photo; `nil` otherwise.
    nonisolated(nonsending) func evaluate(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String
    ) async -> CaptureRecord? {
        let onDisk = record.sha256 ?? ""
        var readings = self.readings[record.id] ?? Readings(onDisk: onDisk)
        let outcome = readings.record(result.sha256)
        self.readings[record.id] = readings
        if readings.haveDiffered, outcome == .again {
            context.log("different bytes in the second reading", of: record)
        }
        switch outcome {
        case .again:
            queue.prepend(record)
            return nil
        case .undecided:
            recordResult(record.id, differed: true)
            return nil
        case .diskIsRight:
            recordResult(record.id, differed: readings.haveDiffered)
            return await finishVerification(record, as: .reread)
        case .diskIsWrong:
            switch await origin(of: record) {
            case .thisCamera: break
            case .otherCamera:
                self.readings[record.id] = nil
                hasOtherPhoto = true
                return nil
            case .unknown: return nil
            }
            do {
                let reading = Arrival(result, of: record.id)
                if let duplicate = try await context.shared.publisher.recordDuplicate(reading) {
                    context.log(
                        "arrived with wrong bytes; the right bytes are already saved as another capture",
                        of: record,
                        ["path": "\(record.path ?? "")", "capture": "\(duplicate.duplicateOf ?? 0)"])
                    recordResult(record.id, differed: true)
                    return duplicate
                }
            } catch {
                // The photo is read again in the next connection.
                context.shared.ledgerCondition.raise(error)
                return nil
            }
            guard let corrected = await correct(record, result, partPath, wrong: onDisk) else { return nil }
            recordResult(record.id, differed: true)
            return await finishVerification(record, as: .reread, corrected)
        }
    }

    /// The camera that a saved file may be from.
    private enum Origin { case thisCamera, otherCamera, unknown }

    /// Decides which camera a saved file is from, after its second reading had different bytes. A file of an
    /// earlier connection may be from another camera with the same serial number. The file is then kept, its
    /// record is marked as past, and the next listing adds the photo on the card as a new photo.
    ///
    /// - Returns: The camera, or ``Origin/unknown`` after an error of the ledger.
    nonisolated(nonsending) private func origin(of record: CaptureRecord) async -> Origin {
        guard !savedNow.contains(record.id) else { return .thisCamera }
        do {
            let bodies = try await context.ledger.knownBodies()
            guard !bodies.sharedSerials(of: context.identity).isEmpty else { return .thisCamera }
            try await context.ledger.markPast(id: record.id, true)
            context.log("the card has another photo with the same name, size and time", of: record)
            return .otherCamera
        } catch {
            context.shared.ledgerCondition.raise(error)
            return .unknown
        }
    }

    /// Replaces the wrong bytes of a photo with the bytes of its last reading.
    ///
    /// - Returns: The path, size and hash of the corrected file, or `nil` if the correction failed. After a
    ///   failure, the photo is read again in the next connection.
    nonisolated(nonsending) private func correct(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String, wrong: String
    ) async -> (path: String, bytes: UInt64, sha256: String)? {
        let item = Publisher.Item(
            arrival: Arrival(result, of: record.id), name: record.object.name, partPath: partPath,
            expectedBytes: nil, takenAt: context.shared.naming.photo(record).takenAt)
        do {
            let corrected = try await context.shared.publisher.correct(record, with: item, wrong: wrong)
            context.logger.warning(
                "corrected a photo that arrived with wrong bytes",
                metadata: ["name": "\(record.object.name)", "path": "\(corrected.path)"])
            return corrected
        } catch {
            context.log("cannot correct a photo", .error, of: record, ["reason": "\(error)"])
            return nil
        }
    }

    /// Records that the connection ended during a second reading. The photo is read last in the next
    /// connection.
    func recordLoss(_ id: CaptureID) {
        lostRereads.removeAll { $0 == id }
        lostRereads.append(id)
    }

    /// Handles a failed second reading while the camera is connected.
    ///
    /// - Returns: The photo's record if its verification is complete, or `nil` otherwise.
    nonisolated(nonsending) func handleFailure(
        _ record: CaptureRecord, _ failure: WorkerFailure
    ) async -> CaptureRecord? {
        guard failure.kind == .objectGone else {
            attempts[record.id, default: 0] += 1
            if attempts[record.id, default: 0] < Self.attemptsMax { queue.append([record]) }
            return nil
        }
        // The photo was deleted on the camera. A second reading is no longer possible.
        context.log("deleted before its second reading", of: record)
        return await finishVerification(record, as: .structure)
    }

    /// Ends the wait of a photo whose duplicate was fetched. The transfer of the duplicate replaces the
    /// second reading.
    ///
    /// - Returns: The record of the original photo, or `nil` if the ledger does not have it.
    nonisolated(nonsending) func verifyOriginal(of duplicate: CaptureRecord) async -> CaptureRecord? {
        guard let id = duplicate.duplicateOf, let original = try? await context.ledger.capture(id: id) else {
            return nil
        }
        let differed = readings[id]?.haveDiffered ?? false
        queue.remove(id)
        recordResult(id, differed: differed)
        context.shared.onCapture(original)
        return original
    }

    /// Forgets the readings of a photo after their result is known, and updates the link's reliability.
    private func recordResult(_ id: CaptureID, differed: Bool) {
        readings[id] = nil
        trust.recordPhoto(readsDiffered: differed)
        updateLinkCondition()
    }

    nonisolated(nonsending) private func finishVerification(
        _ record: CaptureRecord, as verified: CaptureVerification,
        _ corrected: (path: String, bytes: UInt64, sha256: String)? = nil
    ) async -> CaptureRecord? {
        do {
            guard
                let updated = try await context.ledger.recordReading(
                    id: record.id, as: verified, corrected: corrected)
            else { return nil }
            SimulatedHost.pass(.readingRecorded)
            context.shared.ledgerCondition.clear()
            return updated
        } catch {
            // The photo is read again in the next connection.
            context.shared.ledgerCondition.raise(error)
            return nil
        }
    }

    // MARK: conditions

    /// Raises the condition for a link that changes bytes, or clears the condition.
    private func updateLinkCondition() {
        guard trust.isCorrupting else { return context.clear(.linkCorrupts) }
        let isNetwork = context.connection.configured.isNetwork
        context.raise(
            .linkCorrupts,
            sentence:
                "\(context.name): \(trust.differing) photo(s) had different bytes in a second reading: "
                + (isNetwork ? "the network" : "the cable, hub or port")
                + " between camera and computer corrupts data.",
            nextStep: (isNetwork
                ? "Check the access point, its cable and this computer's network adapter. "
                : "Change the cable, connect without a hub, or use another port. ")
                + "FrameFast still fetches photos. It corrects wrong bytes before it uploads a photo.")
    }

    private func updateWaitingCondition(_ count: Int) {
        guard count > 0 else { return context.clear(.rereadWaits) }
        context.raise(
            .rereadWaits,
            sentence:
                "\(context.name): \(count) photo(s) are saved and wait for their second reading; "
                + "they are not uploaded until then.",
            nextStep:
                "Insert the card with these photos, and connect the camera. To turn off second readings, set "
                + "verify = \"structure\" in [capture] and restart the service.")
    }
}
