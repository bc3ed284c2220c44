import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import ServiceLifecycle
import Store
import WorkerProtocol

/// The transfer of photos during one connection. The intake fetches announced photos immediately. After the
/// card is listed, the intake fetches the photos that are not on the disk, in the card's order.
///
/// Events may be lost. At the start of the connection, the intake therefore compares the object list with the
/// ledger. After each burst, it requests a comparison of the camera's handles with the reported objects.
///
/// The intake passes events to its parts, and runs the transfers that the parts select. The parts run on this
/// actor. The state of a part can change at each suspension point.
actor Intake {
    /// The time that running transfers get to finish after a stop or a lost camera.
    private static let drainTime: Duration = .seconds(3)

    private let context: ConnectionContext
    private let onListed: @Sendable () async throws -> Void
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private let outcome = ConnectionOutcome()
    private let idle: IdleClock
    private let seen: SeenObjects
    private let photos: PhotoTransfers
    private let leftPhotos: PhotosLeftInCamera

    private var connection: CameraConnection { context.connection }
    private var shared: CaptureEngine.Shared { context.shared }

    /// The waiting photos of earlier connections that are not on the card. Empty until the card is listed.
    var notOnCard: [CaptureID] { seen.notOnCard }

    /// - Parameters:
    ///   - previous: The state that the last connection to this camera passed on.
    ///   - timeline: Returns the sessions that new photos may belong to.
    ///   - onListed: Called after the whole card is listed.
    init(
        _ context: ConnectionContext, previous: IntakeState,
        timeline: @escaping @Sendable () -> SessionTimeline,
        onListed: @escaping @Sendable () async throws -> Void
    ) {
        self.context = context
        self.onListed = onListed
        idle = IdleClock(
            IdleSchedule(
                unlistable: previous.unlistable, fruitlessRelists: previous.fruitlessRelists,
                facts: context.connection.facts),
            tick: context.shared.settings.idleTick, clock: context.clock)
        seen = SeenObjects(context, previous: previous, timeline: timeline)
        photos = PhotoTransfers(context, outcome: outcome, previous: previous, wake: wake)
        leftPhotos = PhotosLeftInCamera(context, previous: previous)
    }

    /// Runs until the connection ends.
    ///
    /// - Returns: The reason for the end, and the state for the next connection.
    /// - Throws: An error of the ledger.
    func run() async throws -> (ConnectionEnd, IntakeState) {
        updateConditions(from: connection.facts)
        leftPhotos.reportLeft()
        try await seen.startConnection()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask { await self.readCard() }
                group.addTask { await self.runDuties() }
                wake.yield()
                for await _ in wakes {
                    idle.endLongSleep()
                    if Task.isCancelled || Task.isShuttingDownGracefully { outcome.markStopping() }
                    guard outcome.end == nil else { break }
                    while let record = photos.startNext() {
                        group.addTask { await self.fetchAndPublish(record) }
                    }
                    if idle.schedule.isIdle, let record = photos.startNextReread() {
                        group.addTask { await self.reread(record) }
                    }
                }
                await drain(&group)
                group.cancelAll()
            }
        } onGracefulShutdown: { [wake] in
            wake.yield()
        }
        // Ends a reported shortage of resources. Otherwise, its condition would stay until the next photo.
        // The next failure reports the shortage again.
        shared.conditionBoard.endShortage(of: .folder(shared.settings.incomingFolder))
        if let failure = outcome.ledgerFailure { throw failure }
        if shared.settings.verify == .reread { await photos.updateWaitingCondition() }
        let remaining = leftPhotos.finish(isLost: outcome.isLost)
        if outcome.hasProgress { idle.schedule.recordNewPhoto() }
        let next = IntakeState(
            unlistable: idle.schedule.unlistable,
            fruitlessRelists: idle.schedule.fruitlessRelists(isRelisting: outcome.end == .relist),
            doubted: seen.doubted, left: remaining.left,
            isLeftReported: remaining.isReported,
            notFound: seen.notFound, fingerprint: seen.fingerprint, lostRereads: photos.lostRereads)
        return (outcome.end ?? .stopping, next)
    }

    // MARK: notices

    private func listen() async {
        for await notices in connection.notices {
            var rest = notices[...]
            while let notice = rest.first {
                let announced = rest.prefix { $0.object != nil }.compactMap(\.object)
                rest = rest.dropFirst(max(1, announced.count))
                if announced.isEmpty { handle(notice) } else { await enterAnnounced(announced) }
            }
            wake.yield()
        }
        outcome.markNoticesHandled()
        wake.yield()
    }

    /// Enters objects that were announced together, in one commit of the ledger.
    private func enterAnnounced(_ announced: [CameraObject]) async {
        idle.recordAnnouncement()
        do {
            var new = try await enterInLedger(announced, as: .seen).map(\.object)
            for object in announced {
                if let index = new.firstIndex(of: object) {
                    new.remove(at: index)
                } else {
                    try await photos.handleKnown(object)
                }
            }
        } catch { outcome.recordLedgerFailure(error) }
    }

    private func handle(_ notice: CameraConnection.Notice) {
        switch notice {
        case .objectAdded, .listChanged: idle.recordAnnouncement()
        case .announcementsDropped:
            context.logger.notice(
                "announcements of photos were dropped: listing the card again",
                metadata: ["camera": "\(context.loggedName)"])
            idle.recordDrop()
        case .progress(let bytes): photos.showProgress(bytes)
        case .facts(let facts):
            idle.schedule.compareFreeSpace(facts)
            leftPhotos.update(facts)
            updateConditions(from: facts)
        case .lost(let failure):
            shared.logger.info(
                "camera lost",
                metadata: ["camera": "\(context.loggedName)", "reason": "\(failure.text)"])
            outcome.markNoticesHandled()
        }
    }

    /// Enters objects in the ledger, and queues new shots.
    ///
    /// - Parameter isListed: Whether a listing found the objects. Listed objects are queued after the list
    ///   is complete, because new shots go first.
    @discardableResult
    private func enterInLedger(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool = false
    ) async throws -> [CaptureRecord] {
        let (trusted, hasNewDoubts) = seen.filterTrusted(objects)
        if hasNewDoubts { idle.recordDoubt() }
        let new = try await seen.enterInLedger(trusted, as: state, isListed: isListed)
        if !new.isEmpty { idle.schedule.recordNewPhoto() }
        try await seen.recordProtected(objects)
        if state == .seen, !isListed { photos.append(new) }
        return new
    }

    /// Schedules a comparison of the camera's handles, because the computer slept. The comparison also
    /// detects a camera that no longer responds.
    func computerSlept() { idle.computerSlept() }

    /// Schedules a new connection, which lists the camera's photos again.
    func requestListing() {
        idle.recordDoubt()
        wake.yield()
    }

    /// Schedules a new listing of the card, because the body's saved photos were marked as past. Does nothing
    /// for a camera that can't list its card: a Sony saves the photos that it takes between two connections
    /// only to its card.
    func listMarkedPhotos() { if connection.facts.canList { requestListing() } }

    /// Queues a set-aside photo for another fetch.
    func refetch(_ record: CaptureRecord) { photos.refetch(record) }

    // MARK: the card

    /// Lists the card while photos are fetched. The list of a large card takes minutes on a slow link.
    private func readCard() async {
        do {
            // The duration excludes the time that the computer sleeps.
            let start = context.clock.awakeTime()
            if let listing = try await listCard(), outcome.end == nil {
                idle.recordListDuration(.seconds(context.clock.awakeTime() - start))
                try await catchUp(listing)
            }
        } catch {
            // An error of the ledger after the end of the connection is ignored.
            guard outcome.end == nil, !Task.isCancelled else { return }
            outcome.recordLedgerFailure(error)
        }
        wake.yield()
    }

    /// Lists the card, and enters each portion in the ledger as it arrives.
    ///
    /// - Returns: The object list, or `nil` if it is incomplete.
    private func listCard() async throws -> ObjectList? {
        let skipsExisting = try await seen.skipsExisting()
        // If existing photos are skipped, the camera becomes ready after the list. From the card, only photos
        // that are taken later are fetched.
        if !skipsExisting { photos.showState() }
        var objects: [CameraObject] = []
        defer { seen.clearProgress() }
        do {
            for try await portion in connection.list() {
                objects += portion.objects
                // Objects in the camera's memory are always fetched, because they were taken while the camera
                // was connected.
                let onCard = portion.objects.filter { !$0.isInMemory }
                try await enterInLedger(onCard, as: skipsExisting ? .skipped : .seen, isListed: true)
                try await enterInLedger(portion.objects.filter(\.isInMemory), as: .seen, isListed: true)
                guard !portion.isLast else { return ObjectList(objects) }
                seen.reportProgress(read: objects.count, of: portion.total)
            }
        } catch let failure as WorkerFailure {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(failure.text)"])
            // The driver has no error code for this response and uses this text (ptp_strerror).
            if failure.kind == .refused, failure.text.contains("Access Denied") { photos.reportRefused(nil) }
            outcome.markLost()
        }
        return nil
    }

    /// Queues the photos that are on the card and not on the disk.
    private func catchUp(_ listing: ObjectList) async throws {
        let comparison = await compareList()
        let refused = comparison?.refused ?? 0
        let isWhole = comparison?.missing == 0 && refused == 0
        try await seen.rememberCamera()
        let known = try await photos.loadSetAside(on: listing, seen)
        let pending = try await seen.forgettingMisread(
            try await context.ledger.pending(camera: context.identity), listing: listing)
        let waiting = try await seen.forgettingDeleted(pending, listing: listing, isWhole: isWhole)
        try await leftPhotos.setAsideLost(waiting.filter(seen.isFromEarlierConnection), listing: listing)
        seen.recordAbsent(waiting, listing: listing)
        try await photos.catchUp(
            waiting.filter { listing.contains($0.object) && !known.contains($0.id) }, on: listing)
        try await onListed()
        photos.reportCaughtUp(isRefused: refused > 0)
        if !seen.cardless.isEmpty {
            // `onListed` may have deleted records of photos that belong to another camera.
            let still = Set(try await context.ledger.pending(camera: context.identity).map(\.id))
            photos.reportCardless(seen.cardless.filter { still.contains($0.id) })
        }
        // Raised last, because photos that the camera refuses to describe may seem to be on another card.
        photos.reportRefused(refused)
    }

    /// Compares the camera's handles with the list that was just read.
    ///
    /// - Returns: The result, or `nil` if the handles cannot be read and the list may be incomplete.
    private func compareList() async -> HandleComparison? {
        // If the worker sees no packets, it cannot read the handles of a camera that can list its card.
        guard !connection.facts.onlyFetchesPhotos || !connection.facts.canList else { return nil }
        do throws(WorkerFailure) {
            let comparison = try await connection.compareHandles()
            idle.schedule.recordList(missing: comparison.missing)
            return comparison
        } catch { return error.kind == .unsupported ? HandleComparison(missing: 0, refused: 0) : nil }
    }

    // MARK: photos

    private func fetchAndPublish(_ record: CaptureRecord) async {
        // A missing photo may have been deleted on the camera. For each missing photo, one new connection
        // lists the card. A photo that is still missing after this listing is retried at intervals.
        guard await photos.fetchAndPublish(record) else { return }
        seen.recordNotFound(record)
        if !seen.wasNotFound(record) { idle.recordDoubt() }
    }

    private func reread(_ record: CaptureRecord) async {
        if await photos.reread(record) { idle.recordDoubt() }
    }

    // MARK: idle time

    /// Runs the duties that no event triggers.
    private func runDuties() async {
        while await idle.sleep({ photos.work }), outcome.end == nil {
            leftPhotos.expire()
            // Photos that are still queued wait for disk space. The camera's duties continue.
            guard photos.isCaughtUp, photos.isIdle else { continue }
            if photos.work == .none, !connection.hasQuarantinedObjects { context.clear(.objectSetAside) }
            let duty = idle.schedule.nextDuty()
            do throws(WorkerFailure) {
                switch duty {
                case .nothing: break
                case .reconcile:
                    let announcements = idle.schedule.announcements
                    let missing = try await connection.compareHandles().missing
                    if idle.schedule.evaluate(missing: missing, since: announcements) { relist() }
                case .relist: relist()
                case .refresh: try await connection.refresh()
                case .retryParked: photos.retryParked()
                case .retryDamaged: photos.retryDamaged()
                }
            } catch {
                if error.isLoss {
                    outcome.markLost()
                } else if duty == .reconcile, error.kind != .unsupported, error.kind != .unguarded {
                    idle.schedule.retryLater()
                }
            }
            if outcome.end != nil || photos.work == .now { wake.yield() }
        }
    }

    /// Ends the connection, because only a new connection lists the missing objects. Postpones the end if a
    /// new connection would disturb the camera's operation.
    private func relist() {
        let operation = shared.registry.camera(connection.camera)?.operation
        guard IdleSchedule.mustWait(for: operation, nowNs: context.clock.bootTimeNs()) else {
            return outcome.requestRelist()
        }
        if idle.schedule.postponeRelist() {
            context.logger.notice("photos were not announced: fetching them when the camera is less busy")
        }
    }

    private func updateConditions(from facts: CameraFacts) {
        CameraConditions.update(
            facts, camera: connection.camera, name: context.loggedName,
            clock: connection.configured.clock, conditionBoard: shared.conditionBoard)
    }

    // MARK: the end

    /// Waits up to ``drainTime`` for running transfers, then closes the connection to the worker. Unfinished
    /// photos are fetched in the next connection.
    private func drain(_ group: inout DiscardingTaskGroup) async {
        guard !isOver else { return }
        group.addTask { [connection, shared, wake, end = outcome.end] in
            try? await shared.clock.sleep(for: Self.drainTime)
            connection.abandon()
            if end == .stopping { await shared.publisher.stopRetrying() }
            wake.yield()
        }
        for await _ in wakes where isOver { return }
    }

    /// Whether the connection has no more work. If photos stay in a lost camera, the work includes its last
    /// notices, which report the number of these photos.
    private var isOver: Bool {
        guard outcome.isLost, context.leavesPhotosBehind else { return photos.isLinkFree }
        return photos.isLinkFree && outcome.hasHandledNotices
    }
}
