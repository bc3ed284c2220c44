import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// Fetches and publishes the photos of one session, and reads them a second time if required.
/// ``FetchFailures`` and ``SetAsidePhotos`` handle photos that could not be fetched.
final class PhotoTransfers {
    private let context: SessionContext
    private let outcome: SessionOutcome
    private let wake: AsyncStream<Void>.Continuation

    private var queue = FetchQueue()
    private var underWay = ActiveTransfers()
    /// Whether the card has been listed and its missing photos are queued.
    private(set) var isCaughtUp = false
    /// The photos that were announced as new shots and are not saved yet. They can't be older than the
    /// ledger.
    private var announced: Set<CaptureID> = []
    private let failures: FetchFailures
    private let setAside: SetAsidePhotos
    private let rereads: SecondReadings
    private let originals: CameraCleanup

    private var session: CameraSession { context.session }
    private var shared: CaptureEngine.Shared { context.shared }

    /// - Parameters:
    ///   - nowhereBefore: The photos that the last session did not find where the camera had announced
    ///     them.
    ///   - wake: Receives a value when new work may be available.
    init(
        _ context: SessionContext, outcome: SessionOutcome, nowhereBefore: Set<CaptureID>,
        wake: AsyncStream<Void>.Continuation
    ) {
        self.context = context
        self.outcome = outcome
        self.wake = wake
        originals = CameraCleanup(context: context)
        setAside = SetAsidePhotos(context)
        rereads = SecondReadings(context)
        failures = FetchFailures(
            context, outcome: outcome, setAside: setAside, originals: originals, nowhereBefore: nowhereBefore)
    }

    /// Whether no photo is being fetched or published. A second reading may be running.
    var isQuiet: Bool { underWay.isQuiet }
    /// Whether no transfer is running.
    var isLinkFree: Bool { underWay.isLinkFree }

    /// The remaining work. If it is `.none`, only new events or timed duties bring work.
    var work: QuietClock.Work {
        guard isCaughtUp, underWay.isLinkFree, queue.isEmpty, rereads.isEmpty else { return .now }
        return failures.photos.parked.isEmpty ? .none : .later
    }

    // MARK: queue

    /// Queues photos that the camera has just announced, after earlier announcements and before all photos
    /// that were found on the card.
    ///
    /// Cameras also announce old photos when the user rates or protects them. After the card is listed,
    /// such photos are known. Before that, the photo's own time decides.
    func append(_ records: [CaptureRecord]) {
        let now = Date()
        let taken = records.filter { isCaughtUp || shared.naming.photo($0).isTaken(about: now) }
        announced.formUnion(taken.map(\.id))
        queue.append(records, to: .shot)
    }

    /// Handles an announced object that the ledger already knows, for example because the list had it
    /// first.
    nonisolated(nonsending) func announcedAgain(_ object: CameraObject) async throws {
        queue.append(try await originals.stillToFetch(object), to: .shot)
        queue.append(
            try await context.ledger.wantSkipped(object, camera: context.identity), to: .shot)
        guard !object.isInMemory,
            let record = try await context.ledger.capture(of: object, camera: context.identity),
            record.state == .seen, failures.photos.mayGoFirst(record)
        else { return }
        queue.append([record], to: .shot)
    }

    /// Queues a set-aside photo again at the user's request. A photo that is not on the card waits for the
    /// next session. A photo that a listing has just found is already queued, and must not be fetched
    /// twice.
    func takeUpAgain(_ record: CaptureRecord) {
        guard setAside.takeBack(record.id) else { return }
        queue.append([record])
        wake.yield()
    }

    /// Loads the photos that earlier sessions set aside and that are on the listed card.
    ///
    /// - Returns: The photos that are queued, being fetched or parked. They may be saved by the time the
    ///   ledger is queried.
    nonisolated(nonsending) func takeUpSetAside(
        on listing: ObjectList, _ seen: SeenObjects
    ) async throws -> Set<CaptureID> {
        try await setAside.takeUp(on: listing, seen)
        return queue.ids.union(failures.photos.parked.map(\.id))
    }

    /// Queues the photos that are on the card and not on the disk.
    ///
    /// - Parameter waiting: The photos that are pending in the ledger and on the card.
    nonisolated(nonsending) func catchUp(
        _ waiting: [CaptureRecord], on listing: ObjectList
    ) async throws {
        // New shots were fetched during the listing, and waiting shots go first.
        queue.append(failures.photos.partition(waiting.filter { !failures.photos.isParked($0.id) }))
        for object in listing.objects where object.isInMemory {
            // The photo was taken while the camera was connected, and it blocks the next one in the
            // camera's memory.
            queue.append(
                try await originals.stillToFetch(object).filter { !failures.photos.isParked($0.id) },
                to: .shot)
        }
        readDamagedAgain()
        try await rereads.takeUp(on: listing)
        isCaughtUp = true
        showState()
    }

    /// Clears the condition for failing photos, and logs the number of queued photos, after the card is
    /// compared with the ledger.
    func tellCaughtUp() {
        if failures.photos.failingCount == 0 { context.clear(.photoFailing) }
        guard !queue.isEmpty else { return }
        context.logger.info(
            "photos to catch up", metadata: ["camera": "\(context.loggedName)", "count": "\(queue.count)"])
    }

    /// Reports photos that wait for a card that is not in the camera.
    func tellCardless(_ records: [CaptureRecord]) { failures.cardIsAway(records) }

    /// Queues the parked photos again in a quiet moment.
    func retryParked() { queue.append(failures.photos.unpark()) }

    /// Queues the damaged photos again, behind all others.
    func readDamagedAgain() {
        let again = setAside.toReadAgain
        for record in again { _ = failures.photos.ended(record.id) }
        queue.append(again)
    }

    // MARK: one photo

    /// Starts the next fetch if a photo waits and fits on the disk.
    ///
    /// - Returns: The photo to pass to ``take(_:)``, or `nil`.
    func next() -> CaptureRecord? {
        guard !queue.isEmpty else {
            shared.freeSpace.clearWait(of: session.configured)
            return nil
        }
        queue.givesOnlyShots = !underWay.hasRoom(isShot: false)
        guard underWay.hasRoom(isShot: queue.hasShot),
            shared.freeSpace.recordFolder(shared.folders.restore()),
            let record = shared.freeSpace.nextPhoto(
                in: &queue, of: session.configured, underWay: underWay.bytesToCome)
        else { return nil }
        underWay.begin(record, isShot: queue.lane(of: record.id) == .shot)
        showState()
        return record
    }

    /// Fetches and publishes a photo.
    ///
    /// - Returns: Whether the camera repeatedly did not find the photo. It may be in another folder than
    ///   announced.
    nonisolated(nonsending) func take(_ record: CaptureRecord) async -> Bool {
        var isNowhere = false
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            // A photo whose transfer was damaged may be larger than announced.
            let result = try await session.fetch(
                record.object, into: partPath, asWhole: failures.photos.hasComeDamaged(record.id),
                isShot: queue.lane(of: record.id) == .shot)
            underWay.arrived(record.id)
            showState()
            wake.yield()
            await publish(record, result, partPath)
            underWay.published()
        } catch {
            let wasOnLink = underWay.failed(record.id)
            let lane = queue.ended(record.id)
            putBack(record, await failures.failed(record, error, wasOnLink: wasOnLink), lane)
            isNowhere =
                error.kind == .objectGone && record.twinID == nil && failures.photos.isFailing(record.id)
        }
        showState()
        wake.yield()
        return isNowhere
    }

    nonisolated(nonsending) private func publish(
        _ record: CaptureRecord, _ result: FetchResult, _ partPath: String
    ) async {
        let cameTwice = failures.photos.cameTwice(record.id, sha256: result.sha256)
        let photo = shared.naming.photo(record)
        let item = Publisher.Item(
            arrival: Arrival(result, of: record.id), name: record.object.name, partPath: partPath,
            expectedBytes: cameTwice ? nil : record.object.size, takenAt: photo.takenAt,
            mayBeOnDisk: !announced.contains(record.id)
                && photo.mayBeOlder(than: shared.ledgerBirth, now: Date()))
        let published = await shared.publisher.publish(item)
        let lane = queue.ended(record.id)
        switch published {
        case .saved(let saved):
            announced.remove(record.id)
            outcome.progressed()
            context.noteSaved(saved)
            shared.freeSpace.recordWrite()
            shared.health.clear(.saveFailing)
            shared.health.endShortage(of: .folder(shared.settings.incomingFolder))
            failures.ended(record)
            setAside.cameWhole(record)
            if let twin = record.twinID {
                if isCaughtUp { await setAside.forget(twin: twin) }
                await rereads.endAwaitingOfPast()
            }
            if saved.verified == .awaitingReread {
                rereads.append(saved)
            } else {
                await originals.letGo(saved)
            }
        case .duplicate(let known):
            announced.remove(record.id)
            context.log(
                "announced again: already saved", of: record,
                ["folder": "\(record.object.folder)", "capture": "\(known.twinID ?? 0)"])
            outcome.progressed()
            shared.health.endShortage(of: .folder(shared.settings.incomingFolder))
            failures.ended(record)
            setAside.cameWhole(record)
            if known.verified == .reread, let twin = await rereads.twinWasRead(known),
                twin.bodyID == context.identity, twin.object != known.object
            {
                await originals.letGo(twin)
            }
            await originals.letGo(known)
        case .damaged(let how):
            putBack(
                record,
                await failures.cameDamaged(
                    record, how, cameTwice: cameTwice, sha256: result.sha256, partPath), lane)
        case .failed(let error): putBack(record, failures.hostFailed(record, error), lane)
        case .unrecorded: failures.photos.park(record)
        }
    }

    /// Queues a photo again that could not be fetched, in its own lane.
    private func putBack(
        _ record: CaptureRecord, _ place: FetchFailures.Place?, _ lane: FetchQueue.Lane
    ) {
        switch place {
        case .before: queue.putBack(record, to: lane)
        case .behind: queue.append([record], to: lane)
        case nil: break
        }
    }

    // MARK: second readings

    /// Starts the next second reading if the link has no other work.
    ///
    /// - Returns: The photo to pass to ``reread(_:)``, or `nil`.
    func nextToReread() -> CaptureRecord? {
        guard isCaughtUp, queue.isEmpty, underWay.isLinkFree, let record = rereads.next() else { return nil }
        underWay.beginReread(record.id)
        return record
    }

    /// Reads a photo a second time.
    nonisolated(nonsending) func reread(_ record: CaptureRecord) async {
        let partPath = shared.parts.path(record.id)
        try? DurableFile.remove(partPath)
        do throws(WorkerFailure) {
            let result = try await session.fetch(record.object, into: partPath)
            endReread(record.id)
            await settled(rereads.judge(record, result, partPath))
        } catch {
            endReread(record.id)
            if error.isLoss { outcome.lost() } else { await settled(rereads.failed(record, error)) }
        }
        try? DurableFile.remove(partPath)
        wake.yield()
    }

    private func endReread(_ id: CaptureID) {
        underWay.endReread(id)
        rereads.ended(id)
    }

    nonisolated(nonsending) private func settled(_ record: CaptureRecord?) async {
        guard let record else { return }
        outcome.progressed()
        shared.onCapture(record)
        if record.verified == .reread { await originals.letGo(record) }
    }

    /// Raises the condition for photos that wait for their second reading when the session ends.
    nonisolated(nonsending) func tellUnread() async { await rereads.tellUnread() }

    // MARK: camera status

    /// Updates the state and the running transfer in the camera's status.
    func showState() {
        shared.registry.update(
            session.camera, state: underWay.isFetching ? .downloading : .ready, transfer: underWay.shown)
    }

    /// Updates the received bytes of the running transfer in the camera's status.
    func showProgress(_ bytes: UInt64) {
        guard let transfer = underWay.progressed(bytes) else { return }
        shared.registry.update(session.camera, transfer: transfer)
    }
}

extension Arrival {
    /// Creates an arrival from the worker's result.
    init(_ result: FetchResult, of id: CaptureID) {
        self.init(id: id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
    }
}
