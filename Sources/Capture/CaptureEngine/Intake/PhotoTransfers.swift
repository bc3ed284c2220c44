import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import WorkerProtocol

/// Brings the photos of one session over: each is fetched and published, and read a second time where that is wanted. What
/// becomes of one that did not come is decided by ``FetchFailures`` and ``SetAsidePhotos``.
final class PhotoTransfers {
    private let context: SessionContext
    private let outcome: SessionOutcome
    private let wake: AsyncStream<Void>.Continuation

    private var queue = FetchQueue()
    private var underWay = TransfersUnderWay()
    /// Whether the card has been read: what is on it and not here is queued.
    private(set) var isCaughtUp = false
    /// Photos that were announced as they were taken and are not saved yet: they cannot be older than the ledger.
    private var announced: Set<CaptureID> = []
    private let failures: FetchFailures
    private let setAside: SetAsidePhotos
    private let rereads: SecondReadings
    private let originals: CameraOriginals

    private var session: CameraSession { context.session }
    private var shared: CaptureEngine.Shared { context.shared }

    /// - Parameters:
    ///   - nowhereBefore: Photos that the last session did not find where the camera had announced them.
    ///   - wake: Yielded to when there may be something more to begin.
    init(
        _ context: SessionContext, outcome: SessionOutcome, nowhereBefore: Set<CaptureID>,
        wake: AsyncStream<Void>.Continuation
    ) {
        self.context = context
        self.outcome = outcome
        self.wake = wake
        originals = CameraOriginals(context: context)
        setAside = SetAsidePhotos(context)
        rereads = SecondReadings(context)
        failures = FetchFailures(
            context, outcome: outcome, setAside: setAside, originals: originals, nowhereBefore: nowhereBefore)
    }

    /// Whether no photo is on its way to the disk; one may be read a second time.
    var isQuiet: Bool { underWay.isQuiet }
    /// Whether nothing comes over the link.
    var isLinkFree: Bool { underWay.isLinkFree }

    /// What there is to do: when everything is done that can be done, only time brings something.
    var work: QuietClock.Work {
        guard isCaughtUp, underWay.isLinkFree, queue.isEmpty, rereads.isEmpty else { return .now }
        return failures.photos.parked.isEmpty ? .none : .later
    }

    // MARK: what is to be fetched

    /// Puts photos that the camera has just announced behind those that it announced before, and before all that was
    /// found on the card.
    ///
    /// Cameras announce old photos, too, when somebody rates or protects them. What was on the card is known when it has been
    /// read; before, the photo's own time has to tell.
    func append(_ records: [CaptureRecord]) {
        let now = Date()
        let taken = records.filter { isCaughtUp || shared.naming.photo($0).isTaken(about: now) }
        announced.formUnion(taken.map(\.id))
        queue.append(records, to: .shot)
    }

    /// An object was announced that the ledger knows already: the list may have had it first.
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

    /// A person wants a photo once more that was set aside. One that is not on the card waits for the next session;
    /// one that a listing has just found is queued already, and must not come in twice.
    func takeUpAgain(_ record: CaptureRecord) {
        guard setAside.takeBack(record.id) else { return }
        queue.append([record])
        wake.yield()
    }

    /// The card was listed: takes what earlier sessions set aside of it.
    ///
    /// - Returns: photos that are queued, being fetched or parked: when the ledger is asked they may be saved.
    nonisolated(nonsending) func takeUpSetAside(
        on listing: ObjectList, _ seen: SeenObjects
    ) async throws -> Set<CaptureID> {
        try await setAside.takeUp(on: listing, seen)
        return queue.ids.union(failures.photos.parked.map(\.id))
    }

    /// Queues what is on the card and not on disk.
    ///
    /// - Parameter waiting: what the ledger has as still to come and the card has.
    nonisolated(nonsending) func catchUp(
        _ waiting: [CaptureRecord], on listing: ObjectList
    ) async throws {
        // New shots were fetched meanwhile, and those that wait go first.
        queue.append(failures.photos.partition(waiting.filter { !failures.photos.isParked($0.id) }))
        for object in listing.objects where object.isInMemory {
            // Taken while somebody was connected, and in the way of the next that comes from there.
            queue.append(
                try await originals.stillToFetch(object).filter { !failures.photos.isParked($0.id) },
                to: .shot)
        }
        readDamagedAgain()
        try await rereads.takeUp(on: listing)
        isCaughtUp = true
        showState()
    }

    /// What was left of a card is known to be here or queued.
    func tellCaughtUp() {
        if failures.photos.failingCount == 0 { context.clear(.photoFailing) }
        guard !queue.isEmpty else { return }
        context.logger.info(
            "photos to catch up", metadata: ["camera": "\(context.loggedName)", "count": "\(queue.count)"])
    }

    /// Says that photos wait for a card that is not in the camera.
    func tellCardless(_ records: [CaptureRecord]) { failures.cardIsAway(records) }

    /// A quieter moment: what failed is tried again.
    func retryParked() { queue.append(failures.photos.unpark()) }

    /// Reads what is damaged once more, behind everything else.
    func readDamagedAgain() {
        let again = setAside.toReadAgain
        for record in again { _ = failures.photos.ended(record.id) }
        queue.append(again)
    }

    // MARK: one photo

    /// Begins the next fetch, when there is something to fetch and room for it.
    ///
    /// - Returns: what is to be given to ``take(_:)``.
    func next() -> CaptureRecord? {
        guard !queue.isEmpty else {
            shared.room.nothingWaits(of: session.configured)
            return nil
        }
        queue.givesOnlyShots = !underWay.hasRoom(isShot: false)
        guard underWay.hasRoom(isShot: queue.hasShot), shared.room.folderStands(shared.folders.restore()),
            let record = shared.room.next(
                in: &queue, of: session.configured, underWay: underWay.bytesToCome)
        else { return nil }
        underWay.begin(record, isShot: queue.lane(of: record.id) == .shot)
        showState()
        return record
    }

    /// Fetches and publishes a photo.
    ///
    /// - Returns: whether it is nowhere: it may have been told of with another folder than it is in.
    nonisolated(nonsending) func take(_ record: CaptureRecord) async -> Bool {
        var isNowhere = false
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            // A photo that came damaged may be larger than it was announced.
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
            shared.room.wrote()
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

    /// Queues a photo again that did not come: a shot among the shots.
    private func putBack(
        _ record: CaptureRecord, _ place: FetchFailures.Place?, _ lane: FetchQueue.Lane
    ) {
        switch place {
        case .before: queue.putBack(record, to: lane)
        case .behind: queue.append([record], to: lane)
        case nil: break
        }
    }

    // MARK: a second reading

    /// Begins the next second reading, when nothing else is to be done on the link.
    ///
    /// - Returns: what is to be given to ``reread(_:)``.
    func nextToReread() -> CaptureRecord? {
        guard isCaughtUp, queue.isEmpty, underWay.isLinkFree, let record = rereads.next() else { return nil }
        underWay.beginReread(record.id)
        return record
    }

    /// Reads a photo again.
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

    /// The session is over: what waits for its second reading waits for its card.
    nonisolated(nonsending) func tellUnread() async { await rereads.tellUnread() }

    // MARK: what people see

    /// Sets the camera's state and running transfer in its status.
    func showState() {
        shared.registry.update(
            session.camera, state: underWay.isFetching ? .downloading : .ready, transfer: underWay.shown)
    }

    /// Sets how many bytes of the running transfer have arrived in the camera's status.
    func showProgress(_ bytes: UInt64) {
        guard let transfer = underWay.progressed(bytes) else { return }
        shared.registry.update(session.camera, transfer: transfer)
    }
}

extension Arrival {
    /// What the worker says of a photo whose bytes are here.
    init(_ result: FetchResult, of id: CaptureID) {
        self.init(id: id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
    }
}
