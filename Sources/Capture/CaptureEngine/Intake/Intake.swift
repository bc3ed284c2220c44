import Cameras
import Foundation
import FrameFastModel
import Logging
import ServiceLifecycle
import Store
import WorkerProtocol

/// Takes the photos of one session: what is announced at once, and what is on the card and not on disk when the card
/// is read, in order.
///
/// Events are hints. The object list is held against the ledger when the session begins, and the camera's own
/// handles against what this session knows after each burst.
///
/// It orders its parts, each of which knows one thing: an event comes in, a part decides, a photo is fetched and published.
/// What a part does while it waits is done on this actor, so between two of its own lines anything else may happen.
actor Intake {
    /// Time for running fetches when the service stops or the camera is lost.
    private static let drainTime: Duration = .seconds(3)

    private let context: SessionContext
    private let onListed: @Sendable () async throws -> Void
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private let outcome = SessionOutcome()
    private let quiet: QuietClock
    private let seen: SeenObjects
    private let photos: PhotoTransfers
    private let left: PhotosLeftInCamera

    private var session: CameraSession { context.session }
    private var shared: CaptureEngine.Shared { context.shared }

    /// Photos of earlier sessions that wait and are not on the card; empty until it has been read.
    var notOnCard: [CaptureID] { seen.notOnCard }

    /// - Parameters:
    ///   - memory: What the last session with this camera left.
    ///   - timeline: The sessions that new photos may belong to.
    ///   - onListed: Called when the card has been read whole.
    init(
        _ context: SessionContext, memory: CameraMemory, timeline: @escaping @Sendable () -> SessionTimeline,
        onListed: @escaping @Sendable () async throws -> Void
    ) {
        self.context = context
        self.onListed = onListed
        quiet = QuietClock(
            QuietTime(
                unlistable: memory.unlistable, fruitlessRelists: memory.fruitlessRelists,
                facts: context.session.facts),
            tick: context.shared.settings.quietTick)
        seen = SeenObjects(context, memory: memory, timeline: timeline)
        photos = PhotoTransfers(
            context, outcome: outcome, nowhereBefore: memory.nowhere, wake: wake)
        left = PhotosLeftInCamera(context, memory: memory)
    }

    /// Runs until the session ends.
    ///
    /// - Returns: why it ended, and what the next session should know.
    /// - Throws: when the ledger cannot be used.
    func run() async throws -> (SessionEnd, CameraMemory) {
        judge(session.facts)
        left.tell()
        try await seen.begin()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask { await self.readCard() }
                group.addTask { await self.tick() }
                wake.yield()
                for await _ in wakes {
                    quiet.endLongSleep()
                    if Task.isCancelled || Task.isShuttingDownGracefully { outcome.stop() }
                    guard outcome.end == nil else { break }
                    while let record = photos.next() {
                        group.addTask { await self.take(record) }
                    }
                    if quiet.time.isQuiet, let record = photos.nextToReread() {
                        group.addTask { await self.reread(record) }
                    }
                }
                await drain(&group)
                group.cancelAll()
            }
        } onGracefulShutdown: { [wake] in
            wake.yield()
        }
        // A photo that was not saved may never be asked for again: the next one that is not tells of it anew.
        shared.health.endShortage(of: .folder(shared.settings.incomingFolder))
        if let failure = outcome.ledgerFailure { throw failure }
        if shared.settings.verify == .reread { await photos.tellUnread() }
        let left = left.atEnd(isLost: outcome.isLost)
        if outcome.hasProgress { quiet.time.gotNewPhoto() }
        let memory = CameraMemory(
            unlistable: quiet.time.unlistable,
            fruitlessRelists: quiet.time.fruitlessRelists(isRelisting: outcome.end == .relist),
            doubted: seen.doubted, left: left.left,
            isLeftTold: left.isTold,
            nowhere: seen.nowhere, witnesses: seen.witnesses)
        return (outcome.end ?? .stopping, memory)
    }

    // MARK: what the camera says

    private func listen() async {
        for await notices in session.notices {
            var rest = notices[...]
            while let notice = rest.first {
                let announced = rest.prefix { $0.object != nil }.compactMap(\.object)
                rest = rest.dropFirst(max(1, announced.count))
                if announced.isEmpty { heard(notice) } else { await heard(announced) }
            }
            wake.yield()
        }
        outcome.heardOut()
        wake.yield()
    }

    /// New objects, as many as came together: they share a commit.
    private func heard(_ announced: [CameraObject]) async {
        quiet.heard()
        do {
            var new = try await enter(announced, as: .seen).map(\.object)
            for object in announced {
                if let index = new.firstIndex(of: object) {
                    new.remove(at: index)
                } else {
                    try await photos.announcedAgain(object)
                }
            }
        } catch { outcome.ledgerFailed(error) }
    }

    private func heard(_ notice: CameraSession.Notice) {
        switch notice {
        case .objectAdded, .listChanged: quiet.heard()
        case .progress(let bytes): photos.showProgress(bytes)
        case .facts(let facts):
            quiet.time.compare(facts)
            left.heard(facts)
            judge(facts)
        case .lost(let failure):
            shared.logger.info(
                "camera lost",
                metadata: ["camera": "\(context.loggedName)", "reason": "\(failure.text)"])
            outcome.heardOut()
        }
    }

    /// Enters objects in the ledger.
    ///
    /// - Parameter isListed: whether they were found in a listing: those are queued when it is whole, and new shots
    ///   go first.
    @discardableResult
    private func enter(
        _ objects: [CameraObject], as state: CaptureRecord.State, isListed: Bool = false
    ) async throws -> [CaptureRecord] {
        let (believed, hasNewDoubts) = seen.believe(objects)
        if hasNewDoubts { quiet.doubted() }
        let new = try await seen.enter(believed, as: state, isListed: isListed)
        if !new.isEmpty { quiet.time.gotNewPhoto() }
        try await seen.noteProtected(objects)
        if state == .seen, !isListed { photos.append(new) }
        return new
    }

    /// Compares the camera's handles soon, because the computer slept. A camera that does not answer any more is noticed
    /// by that.
    func computerSlept() { quiet.computerSlept() }

    /// A person wants a photo once more that was set aside.
    func takeUpAgain(_ record: CaptureRecord) { photos.takeUpAgain(record) }

    // MARK: the card

    /// Reads the card while everything else goes on: a large one takes minutes on a slow link.
    private func readCard() async {
        do {
            // Without the time in which the computer sleeps.
            let start = SuspendingClock.now
            if let listing = try await list(), outcome.end == nil {
                quiet.listLasted(start.duration(to: .now))
                try await catchUp(listing)
            }
        } catch {
            // A session that is over asks the ledger nothing more.
            guard outcome.end == nil, !Task.isCancelled else { return }
            outcome.ledgerFailed(error)
        }
        wake.yield()
    }

    /// Enters the object list in the ledger, portion by portion as it is read.
    ///
    /// - Returns: `nil` when it is not whole.
    private func list() async throws -> ObjectList? {
        let leavesAll = try await seen.leavesAll()
        // Else it is ready when it is known what was there before: a photo from then on is wanted.
        if !leavesAll { photos.showState() }
        var objects: [CameraObject] = []
        defer { seen.endProgress() }
        do {
            for try await portion in session.list() {
                objects += portion.objects
                // What came over from the camera's memory was taken while somebody was connected.
                let onCard = portion.objects.filter { !$0.isInMemory }
                try await enter(onCard, as: leavesAll ? .skipped : .seen, isListed: true)
                try await enter(portion.objects.filter(\.isInMemory), as: .seen, isListed: true)
                guard !portion.isLast else { return ObjectList(objects) }
                seen.tellProgress(read: objects.count, of: portion.total)
            }
        } catch let failure as WorkerFailure {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(failure.text)"])
            outcome.lost()
        }
        return nil
    }

    /// Queues what is on the card and not on disk.
    private func catchUp(_ listing: ObjectList) async throws {
        let isWhole = await missesNothing()
        try await seen.rememberCamera()
        let known = try await photos.takeUpSetAside(on: listing, seen)
        let pending = try await seen.forgettingMisread(
            try await context.ledger.pending(camera: context.identity), listing: listing)
        let waiting = try await seen.forgettingDeleted(pending, listing: listing, isWhole: isWhole)
        try await left.tellNeverCame(waiting.filter(seen.isOfEarlier), listing: listing)
        seen.noteAbsent(waiting, listing: listing)
        try await photos.catchUp(
            waiting.filter { listing.contains($0.object) && !known.contains($0.id) }, on: listing)
        try await onListed()
        photos.tellCaughtUp()
        guard !seen.cardless.isEmpty else { return }
        // Some may have turned out to be another camera's.
        let still = Set(try await context.ledger.pending(camera: context.identity).map(\.id))
        photos.tellCardless(seen.cardless.filter { still.contains($0.id) })
    }

    /// Whether the list that was just read has every object of the card, as far as the camera can tell.
    private func missesNothing() async -> Bool {
        // The camera cannot be asked for its own list.
        guard !session.facts.isPhotosOnly || !session.facts.canList else { return false }
        do throws(WorkerFailure) {
            let missing = try await session.missing()
            quiet.time.listed(missing: missing)
            return missing == 0
        } catch { return error.kind == .unsupported }
    }

    // MARK: photos

    private func take(_ record: CaptureRecord) async {
        // What is nowhere may have been deleted on the camera: a new session lists what is there. Once: what is not where
        // that says is asked for now and then.
        guard await photos.take(record) else { return }
        seen.noteNowhere(record)
        if !seen.wasNowhere(record) { quiet.doubted() }
    }

    private func reread(_ record: CaptureRecord) async { await photos.reread(record) }

    // MARK: in quiet moments

    /// Looks after everything that has no event of its own.
    private func tick() async {
        while await quiet.sleep({ photos.work }), outcome.end == nil {
            left.settle()
            // What still waits then waits for room on the disk; the camera is looked after meanwhile.
            guard photos.isCaughtUp, photos.isQuiet else { continue }
            if photos.work == .none, !session.hasSetAside { context.clear(.objectSetAside) }
            let duty = quiet.time.next()
            do throws(WorkerFailure) {
                switch duty {
                case .nothing: break
                case .reconcile:
                    let news = quiet.time.news
                    let missing = try await session.missing()
                    if quiet.time.reconciled(missing: missing, since: news) { relist() }
                case .relist: relist()
                case .refresh: try await session.refresh()
                case .retryParked: photos.retryParked()
                case .retryDamaged: photos.readDamagedAgain()
                }
            } catch {
                if error.isLoss {
                    outcome.lost()
                } else if duty == .reconcile, error.kind != .unsupported, error.kind != .unguarded {
                    quiet.time.refused()
                }
            }
            if outcome.end != nil || photos.work == .now { wake.yield() }
        }
    }

    /// Ends the session for a new one, which lists what is missing, when that does not disturb the camera's operation.
    private func relist() {
        let operation = shared.registry.camera(session.camera)?.operation
        let nowMs = Int(Date().timeIntervalSince1970 * 1_000)
        guard QuietTime.mustWait(for: operation, nowMs: nowMs) else { return outcome.relist() }
        if quiet.time.postponeRelist() {
            context.logger.notice("photos were not announced: they are fetched when the camera is less busy")
        }
    }

    private func judge(_ facts: CameraFacts) {
        CameraConcerns.judge(
            facts, camera: session.camera, name: context.loggedName,
            clock: session.configured.clock, health: shared.health)
    }

    // MARK: the end

    /// Gives running fetches a moment, then cuts the worker off: what is not done is left to catch-up.
    private func drain(_ group: inout DiscardingTaskGroup) async {
        guard !isOver else { return }
        group.addTask { [session, shared, wake, end = outcome.end] in
            try? await Task.sleep(for: Self.drainTime)
            session.abandon()
            if end == .stopping { await shared.publisher.giveUp() }
            wake.yield()
        }
        for await _ in wakes where isOver { return }
    }

    /// Whether nothing more comes of the session. What stays in a camera is known from its last words.
    private var isOver: Bool {
        guard outcome.isLost, context.leavesPhotosBehind else { return photos.isLinkFree }
        return photos.isLinkFree && outcome.hasHeardOut
    }
}
