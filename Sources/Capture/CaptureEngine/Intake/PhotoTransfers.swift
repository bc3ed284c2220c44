import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// The transfers of one connection: fetching and publishing photos, and second readings if required.
/// ``FetchFailures`` and ``SetAsidePhotos`` handle photos that could not be fetched.
final class PhotoTransfers {
    private let context: ConnectionContext
    private let outcome: ConnectionOutcome
    private let wake: AsyncStream<Void>.Continuation

    private var queue = FetchQueue()
    private var transfers = ActiveTransfers()
    private var publishingOrder = PublishingOrder()
    /// Whether the card has been listed, and its photos that are not on the disk have been queued.
    private(set) var isCaughtUp = false
    /// The photos that were announced as new shots and are not saved yet. All of these photos were taken
    /// after the ledger was created.
    private var announced: Set<CaptureID> = []
    private let failures: FetchFailures
    private let setAside: SetAsidePhotos
    private let rereads: SecondReadings
    private let cleanup: CameraCleanup

    private var connection: CameraConnection { context.connection }
    private var shared: CaptureEngine.Shared { context.shared }

    /// - Parameters:
    ///   - previous: The state that the last connection to this camera passed on.
    ///   - wake: A continuation that receives a value when new work may be available.
    init(
        _ context: ConnectionContext, outcome: ConnectionOutcome, previous: IntakeState,
        wake: AsyncStream<Void>.Continuation
    ) {
        self.context = context
        self.outcome = outcome
        self.wake = wake
        cleanup = CameraCleanup(context: context)
        setAside = SetAsidePhotos(context)
        rereads = SecondReadings(context, lostRereads: previous.lostRereads)
        failures = FetchFailures(
            context, outcome: outcome, setAside: setAside, cleanup: cleanup,
            notFoundBefore: previous.notFound)
    }

    /// Whether no photo is being fetched or published. A second reading may be running.
    var isIdle: Bool { transfers.isIdle }
    /// Whether no transfer is running.
    var isLinkFree: Bool { transfers.isLinkFree }

    /// The photos whose second readings ended a connection.
    var lostRereads: [CaptureID] { rereads.lostRereads }

    /// The remaining work. With `.none`, only new events or timed duties can add work.
    var work: IdleClock.Work {
        guard isCaughtUp, transfers.isLinkFree, queue.isEmpty, rereads.isEmpty else { return .now }
        return failures.photos.parked.isEmpty ? .none : .later
    }

    // MARK: queue

    /// Queues photos that the camera has just announced. Earlier announcements come first, and photos from
    /// the card's list come last.
    ///
    /// Cameras also announce old photos when the user rates or protects them. After the card is listed, the
    /// ledger has these photos. Before that, the capture time decides whether a photo is a new shot.
    func append(_ records: [CaptureRecord]) {
        let now = shared.clock.now()
        let taken = records.filter { isCaughtUp || shared.naming.photo($0).isTaken(about: now) }
        announced.formUnion(taken.map(\.id))
        queue.append(records, priority: .shot)
    }

    /// Handles an announced object that is already in the ledger, for example because the list contained it.
    nonisolated(nonsending) func handleKnown(_ object: CameraObject) async throws {
        queue.append(try await cleanup.pendingRecords(of: object), priority: .shot)
        queue.append(
            try await context.ledger.unskip(object, camera: context.identity), priority: .shot)
        guard !object.isInMemory,
            let record = try await context.ledger.capture(of: object, camera: context.identity),
            record.state == .seen, failures.photos.mayGoFirst(record)
        else { return }
        queue.append([record], priority: .shot)
    }

    /// Queues a set-aside photo again at the user's request. A photo that is not on the card waits for the
    /// next connection. A photo that was just listed is already queued and must not be fetched twice.
    func refetch(_ record: CaptureRecord) {
        guard setAside.remove(record.id) else { return }
        queue.append([record])
        wake.yield()
    }

    /// Loads the photos that earlier connections set aside and that are on the listed card.
    ///
    /// - Returns: The photos that are queued, being fetched or parked. The caller must not queue these photos
    ///   again, because their transfers may end while the caller queries the ledger.
    nonisolated(nonsending) func loadSetAside(
        on listing: ObjectList, _ seen: SeenObjects
    ) async throws -> Set<CaptureID> {
        try await setAside.load(on: listing, seen)
        return queue.ids.union(failures.photos.parked.map(\.id))
    }

    /// Queues the photos that are on the card and not on the disk.
    ///
    /// - Parameter waiting: The photos that are pending in the ledger and on the card.
    nonisolated(nonsending) func catchUp(
        _ waiting: [CaptureRecord], on listing: ObjectList
    ) async throws {
        // Shots that were announced during the listing stay ahead of these photos.
        queue.append(failures.photos.partition(waiting.filter { !failures.photos.isParked($0.id) }))
        for object in listing.objects where object.isInMemory {
            // A photo in the camera's memory was taken while the camera was connected. The photo blocks the
            // next photo in that memory.
            queue.append(
                try await cleanup.pendingRecords(of: object).filter { !failures.photos.isParked($0.id) },
                priority: .shot)
        }
        retryDamaged()
        try await rereads.loadAwaiting(on: listing)
        isCaughtUp = true
        showState()
    }

    /// Clears the condition for failing photos if no photo is failing, and logs the number of queued photos.
    /// Called after the card is compared with the ledger.
    ///
    /// - Parameter isRefused: Whether the camera still refuses access to objects on its card. If so, the
    ///   condition stays.
    func reportCaughtUp(isRefused: Bool) {
        if failures.photos.failingCount == 0, !isRefused { context.clear(.photoFailing) }
        guard !queue.isEmpty else { return }
        context.logger.info(
            "photos are waiting for transfer",
            metadata: ["camera": "\(context.loggedName)", "count": "\(queue.count)"])
    }

    /// Raises the condition for photos whose card is not in the camera.
    func reportCardless(_ records: [CaptureRecord]) { failures.reportMissingCard(records) }

    /// Raises the condition for a card to which the camera refuses access.
    func reportRefused(_ count: Int?) { failures.reportRefused(count) }

    /// Queues the parked photos again in an idle moment.
    func retryParked() { queue.append(failures.photos.unpark()) }

    /// Queues the damaged photos again, behind all other photos.
    func retryDamaged() {
        let again = setAside.retryable
        for record in again { _ = failures.photos.remove(record.id) }
        queue.append(again)
    }

    // MARK: one photo

    /// Starts the next fetch if a queued photo fits on the disk.
    ///
    /// - Returns: The photo to pass to ``fetchAndPublish(_:)``, or `nil` if no fetch was started.
    func startNext() -> CaptureRecord? {
        guard !queue.isEmpty else {
            shared.freeSpace.clearWait(of: connection.configured)
            return nil
        }
        queue.givesOnlyShots = !transfers.hasCapacity(isShot: false)
        guard transfers.hasCapacity(isShot: queue.hasShot),
            shared.freeSpace.recordFolder(shared.folders.restore()),
            let record = shared.freeSpace.nextPhoto(
                in: &queue, of: connection.configured, pendingBytes: transfers.remainingBytes)
        else { return nil }
        let priority = queue.priority(of: record.id)
        transfers.start(record, isShot: priority == .shot)
        publishingOrder.append(record.id, priority: priority ?? .catchUp)
        showState()
        return record
    }

    /// Fetches and publishes a photo.
    ///
    /// - Returns: Whether the camera repeatedly did not find the photo. The photo may be in another folder
    ///   than announced.
    nonisolated(nonsending) func fetchAndPublish(_ record: CaptureRecord) async -> Bool {
        let slot = publishingOrder.removeSlot(of: record.id)
        var isNotFound = false
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            // A photo whose transfer was damaged may be larger than announced.
            let result = try await connection.fetch(
                record.object, into: partPath, asWhole: failures.photos.hasDamagedHash(record.id),
                isShot: queue.priority(of: record.id) == .shot)
            SimulatedHost.pass(.photoFetched)
            transfers.finishFetch(record.id)
            showState()
            wake.yield()
            await publish(record, result, partPath, slot)
            transfers.finishPublishing()
        } catch {
            let wasOnLink = transfers.recordFailure(record.id, error)
            let priority = queue.finish(record.id)
            requeue(record, await failures.handleFailure(record, error, wasOnLink: wasOnLink), priority)
            isNotFound =
                error.kind == .objectGone && record.duplicateOf == nil && failures.photos.isFailing(record.id)
        }
        showState()
        wake.yield()
        // The slot of a published photo is already finished.
        await slot?.skip()
        return isNotFound
    }

    nonisolated(nonsending) private func publish(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String, _ slot: PublishingOrder.Slot?
    ) async {
        let matchesEarlier = failures.photos.matchesEarlierHash(record.id, sha256: result.sha256)
        let photo = shared.naming.photo(record)
        let item = Publisher.Item(
            arrival: Arrival(result, of: record.id), name: record.object.name, partPath: partPath,
            expectedBytes: matchesEarlier ? nil : record.object.size, takenAt: photo.takenAt,
            mayBeOnDisk: !announced.contains(record.id)
                && photo.mayBeOlder(than: shared.ledgerCreatedAt, now: shared.clock.now()))
        await slot?.wait()
        let pending = await shared.publisher.enqueue(item)
        slot?.finish()
        let published = await pending.wait()
        let priority = queue.finish(record.id)
        switch published {
        case .saved(let saved):
            queue.complete(record.id)
            announced.remove(record.id)
            outcome.recordProgress()
            context.reportSaved(saved)
            SimulatedHost.pass(.photoReported)
            shared.freeSpace.recordWrite()
            shared.conditionBoard.clear(.saveFailing)
            shared.conditionBoard.endShortage(of: .folder(shared.settings.incomingFolder))
            failures.forget(record)
            setAside.removeIntact(record)
            await setAside.forgetSavedWithTime()
            if let original = record.duplicateOf {
                if isCaughtUp { await setAside.forgetDamaged(original) }
                await rereads.endAwaitingOfPast()
            }
            if saved.verified == .awaitingReread {
                rereads.append(saved)
            } else {
                await cleanup.deleteFromCamera(saved)
            }
        case .duplicate(let known):
            queue.complete(record.id)
            announced.remove(record.id)
            context.log(
                "announced again: already saved", of: record,
                ["folder": "\(record.object.folder)", "capture": "\(known.duplicateOf ?? 0)"])
            outcome.recordProgress()
            shared.conditionBoard.endShortage(of: .folder(shared.settings.incomingFolder))
            failures.forget(record)
            setAside.removeIntact(record)
            await finishDuplicate(known, sha256: result.sha256)
        case .damaged(let how):
            requeue(
                record,
                await failures.handleDamaged(
                    record, how, matchesEarlier: matchesEarlier, sha256: result.sha256, partPath), priority)
        case .failed(let error): requeue(record, failures.handleHostFailure(record, error), priority)
        case .unrecorded: failures.photos.park(record)
        }
    }

    /// Completes the second reading of the original, if the transfer of its duplicate replaces that reading.
    /// Deletes each of the two photos on the camera if it is safely saved.
    nonisolated(nonsending) private func finishDuplicate(_ duplicate: CaptureRecord, sha256: String) async {
        if duplicate.verified == .reread, let original = await rereads.verifyOriginal(of: duplicate),
            original.bodyID == context.identity, original.object != duplicate.object
        {
            await cleanup.deleteFromCamera(original)
        }
        if await isDeletable(duplicate, sha256: sha256) { await cleanup.deleteFromCamera(duplicate) }
    }

    /// Returns whether a duplicate may be deleted on the camera. If the file of the original was edited or
    /// removed, the camera may have the last copy of the photo. If retention cleared the original, the photo
    /// was delivered. A photo in the camera's memory may always be deleted, because a full memory prevents
    /// new photos.
    ///
    /// The deletion of a photo on a card is retried only once, because each retry transfers the photo again
    /// and may end the connection. After the retry, the latest duplicate is not marked as past. Its record
    /// therefore matches the photo, and the photo is not fetched again.
    nonisolated(nonsending) private func isDeletable(
        _ duplicate: CaptureRecord, sha256: String
    ) async -> Bool {
        if duplicate.object.isInMemory || connection.facts.mustDeleteAfterSave { return true }
        guard connection.configured.deletesAfterSave, let id = duplicate.duplicateOf,
            let original = try? await context.ledger.capture(id: id),
            (try? await context.ledger.hasUnconfirmedDeletion(like: duplicate)) == false
        else { return false }
        return await shared.publisher.isSafe(original, sha256: sha256)
    }

    /// Queues a photo again with its previous priority after a failed fetch.
    private func requeue(
        _ record: CaptureRecord, _ place: FetchFailures.RetryPosition?, _ priority: FetchQueue.Priority
    ) {
        switch place {
        case .front: queue.prepend(record, priority: priority)
        case .end: queue.append([record], priority: priority)
        case nil: break
        }
    }

    // MARK: second readings

    /// Starts the next second reading if the link has no other work.
    ///
    /// - Returns: The photo to pass to ``reread(_:)``, or `nil` if no second reading was started.
    func startNextReread() -> CaptureRecord? {
        guard isCaughtUp, queue.isEmpty, transfers.isLinkFree, let record = rereads.next() else { return nil }
        transfers.startReread(record.id)
        return record
    }

    /// Reads a photo a second time.
    ///
    /// - Returns: Whether the card must be listed again, because second readings found other photos in place
    ///   of saved photos.
    nonisolated(nonsending) func reread(_ record: CaptureRecord) async -> Bool {
        let partPath = shared.parts.path(record.id)
        try? DurableFile.remove(partPath)
        do throws(WorkerFailure) {
            let result = try await connection.fetch(record.object, into: partPath)
            endReread(record.id)
            let evaluated = await rereads.evaluate(record, result, partPath)
            await reportVerified(evaluated)
            if let evaluated, evaluated.state == .duplicate {
                await finishDuplicate(evaluated, sha256: result.sha256)
            }
        } catch {
            endReread(record.id)
            if error.isLoss {
                rereads.recordLoss(record.id)
                outcome.markLost()
            } else {
                await reportVerified(rereads.handleFailure(record, error))
            }
        }
        try? DurableFile.remove(partPath)
        wake.yield()
        return rereads.hasOtherPhoto && rereads.isEmpty
    }

    private func endReread(_ id: CaptureID) {
        transfers.endReread(id)
        rereads.finish(id)
    }

    nonisolated(nonsending) private func reportVerified(_ record: CaptureRecord?) async {
        guard let record else { return }
        outcome.recordProgress()
        shared.onCapture(record)
        if record.state == .saved, record.verified == .reread { await cleanup.deleteFromCamera(record) }
    }

    /// Raises the condition if photos still wait for their second reading, or clears the condition. Called
    /// when the connection ends.
    nonisolated(nonsending) func updateWaitingCondition() async { await rereads.updateWaitingCondition() }

    // MARK: camera status

    /// Updates the state and the running transfer in the camera's status.
    func showState() {
        shared.registry.update(
            connection.camera, state: transfers.isFetching ? .downloading : .ready, transfer: transfers.shown)
    }

    /// Updates the received bytes of the running transfer in the camera's status.
    func showProgress(_ bytes: UInt64) {
        guard let transfer = transfers.recordProgress(bytes) else { return }
        shared.registry.update(connection.camera, transfer: transfer)
    }
}

extension Arrival {
    /// Creates an arrival from the worker's result.
    init(_ result: FetchResult, of id: CaptureID) {
        self.init(id: id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
    }
}
