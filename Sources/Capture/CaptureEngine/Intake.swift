import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import ServiceLifecycle
import Store
import SystemPackage
import WorkerProtocol

/// Takes the photos of one session: what is announced at once, and what is on the card and not on disk when the card
/// is read, in order.
///
/// Events are hints. The object list is held against the ledger when the session begins, and the camera's own
/// handles against what this session knows after each burst.
actor Intake {
    /// Fetches under way: one on the link, the others while their hashes are still running (PhotoSink.hashers).
    private static let fetchesMax = 3
    /// Photos between "bytes are here" and "saved": bounds memory and work that a full stop would lose.
    private static let publishingMax = 32
    /// Time for running fetches when the service stops or the camera is lost.
    private static let drainTime: Duration = .seconds(3)

    let session: CameraSession
    /// Who the camera is in the ledger.
    let identity: BodyID
    let shared: CaptureEngine.Shared
    let sessionID: @Sendable () -> SessionID?
    let onListed: @Sendable () async throws -> Void
    private let onTransfer: @Sendable (CaptureEngine.Transfer?) -> Void
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    var queue = FetchQueue()
    var failed = FailedPhotos()
    /// Photos that are on the card, cannot be read whole, and wait for a person.
    var damaged: [CaptureID: CaptureRecord] = [:]
    private var fetching: [CaptureID: CaptureEngine.Transfer] = [:]
    /// The photos in `fetching` in the order in which the worker takes them: the first is the one on the link.
    private var onLink: [CaptureID] = []
    private var publishing = 0
    /// Saved photos that are still to be read a second time.
    var rereads = FetchQueue()
    /// The photo that is being read a second time.
    private var rereading: CaptureID?
    /// What the readings of photos gave that are not settled.
    var readings: [CaptureID: Readings] = [:]
    var rereadAttempts: [CaptureID: Int] = [:]
    /// Whether the link is believed.
    var trust = LinkTrust()
    /// Whether the card has been read: what is on it and not here is queued.
    var isListed = false
    /// Photos of earlier sessions that wait and are not on the card; empty until it has been read.
    var isNotOnCard: [CaptureID] = []
    /// When it was last said how far the listing has come.
    var toldProgress = ContinuousClock.now
    var end: SessionEnd?
    var hasProgress = false
    var hasBlamed = false
    var quiet: QuietTime
    var ledgerFailure: (any Error)?
    let earlierDoubts: Set<CameraObject>
    var doubted: Set<CameraObject> = []
    var givesTimes = false
    var hasNewDoubts = false
    /// Objects that this session entered in the ledger.
    var entered = 0
    /// What earlier sessions left in the camera, and whether it was said.
    var left: LeftInCamera?
    var isLeftTold: Bool
    /// Photos that wait in the camera's memory, as far as told.
    var inCamera: Int
    /// The ledger's last number when the session began.
    var lastOfEarlier: CaptureID = 0
    /// Whether everything was heard that the camera said before its session ended.
    private var hasHeardOut = false

    /// - Parameter memory: What the last session with this camera left.
    init(
        session: CameraSession, identity: BodyID, shared: CaptureEngine.Shared, memory: CameraMemory,
        sessionID: @escaping @Sendable () -> SessionID?,
        onListed: @escaping @Sendable () async throws -> Void,
        onTransfer: @escaping @Sendable (CaptureEngine.Transfer?) -> Void
    ) {
        self.session = session
        self.identity = identity
        self.shared = shared
        self.sessionID = sessionID
        self.onListed = onListed
        self.onTransfer = onTransfer
        quiet = QuietTime(unlistable: memory.unlistable, facts: session.facts)
        earlierDoubts = memory.doubted
        left = memory.left
        isLeftTold = memory.isLeftTold
        inCamera = session.facts.bufferedObjects ?? 0
    }

    /// Runs until the session ends.
    ///
    /// - Returns: why it ended, and what the next session should know.
    /// - Throws: when the ledger cannot be used.
    func run() async throws -> (SessionEnd, CameraMemory) {
        judge(session.facts)
        tellLeft()
        lastOfEarlier = try await shared.ledger.lastNumber()
        // Such a camera begins its names anew with each session, also while older photos wait in it.
        if session.facts.mustDeleteAfterSave { try await shared.ledger.beginNamesAnew(camera: identity) }
        shared.health.clear(.cardOverfull, subject: .camera(session.camera))
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask { await self.readCard() }
                group.addTask { await self.tick() }
                wake.yield()
                for await _ in wakes {
                    if Task.isCancelled || Task.isShuttingDownGracefully { end = end ?? .stopping }
                    guard end == nil else { break }
                    while let record = nextToFetch() {
                        group.addTask { await self.take(record) }
                    }
                    if let record = beginReread() { group.addTask { await self.reread(record) } }
                }
                await drain(&group)
                group.cancelAll()
            }
        } onGracefulShutdown: { [wake] in
            wake.yield()
        }
        if let ledgerFailure { throw ledgerFailure }
        if shared.settings.verify == .reread {
            tellUnread((try? await shared.ledger.awaitingReread(camera: identity).count) ?? 0)
        }
        let left = await whatIsLeft()
        let memory = CameraMemory(
            unlistable: quiet.unlistable, doubted: doubted, left: left,
            isLeftTold: isLeftTold && left == self.left)
        return (end ?? .stopping, memory)
    }

    // MARK: what the camera says

    /// A person wants a photo once more that was set aside. One that is not on the card waits for the next session;
    /// one that a listing has just found is queued already, and must not come in twice.
    func takeUpAgain(_ record: CaptureRecord) async {
        guard damaged.removeValue(forKey: record.id) != nil else { return }
        tellDamaged()
        queue.append([record])
        wake.yield()
    }

    private func listen() async {
        for await notice in session.notices {
            switch notice {
            case .objectAdded(let object):
                quiet.heard()
                do {
                    if try await enter([object], as: .seen).isEmpty {
                        queue.append(try await pendingInMemory(object))
                        queue.append(try await shared.ledger.wantSkipped(object, camera: identity))
                    }
                } catch {
                    ledgerFailure = error
                    end = .lost(afterProgress: hasProgress)
                }
            case .listChanged: quiet.heard()
            case .progress(let bytes): showProgress(bytes)
            case .facts(let facts):
                quiet.compare(facts)
                inCamera = facts.bufferedObjects ?? 0
                judge(facts)
            case .lost(let failure):
                shared.logger.info(
                    "camera lost",
                    metadata: [
                        "camera": "\(shared.naming.camera(identity).name)",
                        "reason": "\(failure.text)",
                    ])
                end = end ?? .lost(afterProgress: hasProgress)
                hasHeardOut = true
            }
            wake.yield()
        }
        hasHeardOut = true
        end = end ?? .lost(afterProgress: hasProgress)
        wake.yield()
    }

    private func nextToFetch() -> CaptureRecord? {
        guard !queue.isEmpty else {
            shared.room.nothingWaits(of: session.configured)
            return nil
        }
        guard fetching.count < Self.fetchesMax, publishing < Self.publishingMax,
            shared.room.folderStands(shared.folders.restore())
        else { return nil }
        // What a camera announced for those under way fitted, so the sum is far from overflowing.
        let underWay = fetching.values.reduce(UInt64(0)) { $0 &+ ($1.total - min($1.total, $1.bytes)) }
        guard let record = shared.room.next(in: &queue, of: session.configured, underWay: underWay) else {
            return nil
        }
        fetching[record.id] = CaptureEngine.Transfer(
            name: record.object.name, bytes: 0, total: record.object.size)
        onLink.append(record.id)
        showState()
        return record
    }

    // MARK: one photo

    private func take(_ record: CaptureRecord) async {
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            // A photo that came damaged may be larger than it was announced.
            let result = try await session.fetch(
                record.object, into: partPath, asWhole: failed.hasComeDamaged(record.id))
            noLongerFetched(record)
            publishing += 1
            showState()
            wake.yield()
            await publish(record, result, partPath)
            publishing -= 1
        } catch {
            let wasOnLink = onLink.first == record.id
            noLongerFetched(record)
            queue.ended(record.id)
            await fetchFailed(record, error, wasOnLink: wasOnLink)
        }
        showState()
        wake.yield()
    }

    private func publish(_ record: CaptureRecord, _ result: FetchResult, _ partPath: String) async {
        let cameTwice = failed.cameTwice(record.id, sha256: result.sha256)
        let arrival = Arrival(
            id: record.id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
        let item = Publisher.Item(
            arrival: arrival, name: record.object.name, partPath: partPath,
            expectedBytes: cameTwice ? nil : record.object.size)
        let outcome = await shared.publisher.publish(item)
        queue.ended(record.id)
        switch outcome {
        case .saved(let saved):
            hasProgress = true
            note(saved)
            shared.onCapture(saved)
            shared.room.wrote()
            shared.health.clear(.saveFailing)
            failsNoMore(record)
            isWholeNow(record)
            if let twin = record.twinID {
                await forgetDamaged(twin)
                await endAwaitingRereadOfPast()
            }
            await settleOrReread(saved)
        case .duplicate(let known):
            shared.logger.notice(
                "announced again: already saved",
                metadata: [
                    "camera": "\(shared.naming.camera(identity).name)", "name": "\(record.object.name)",
                    "folder": "\(record.object.folder)", "capture": "\(known.twinID ?? 0)",
                ])
            hasProgress = true
            failsNoMore(record)
            isWholeNow(record)
            if known.verified == .reread { await twinWasReread(known) }
            await letGo(known)
        case .damaged(let how) where cameTwice: await setAside(record, how, partPath)
        case .damaged(let how):
            // Read twice before believing it: a flipped or missing byte on the way differs the second time.
            shared.logger.notice(
                "fetching again", metadata: ["name": "\(record.object.name)", "why": "\(how)"])
            failed.cameDamaged(record.id, sha256: result.sha256)
            try? DurableFile.remove(partPath)
            await tryAgain(record, how)
        case .failed(let error): hostFailed(record, error)
        case .unrecorded: failed.park(record)
        }
    }

    private func note(_ saved: CaptureRecord) {
        let camera = shared.naming.camera(saved.bodyID).name
        shared.tally.add(saved, cameraName: camera)
        let took = saved.savedAt.map { Int($0.timeIntervalSince(saved.detectedAt) * 1_000) } ?? 0
        shared.logger.debug(
            "saved",
            metadata: [
                "camera": "\(camera)", "capture": "\(saved.id)", "path": "\(saved.path ?? "")",
                "bytes": "\(saved.bytes ?? 0)", "duration_ms": "\(took)",
            ])
    }

    // MARK: a second reading

    /// Whether nothing comes over the link.
    var isLinkFree: Bool { fetching.isEmpty && publishing == 0 && rereading == nil }

    private func beginReread() -> CaptureRecord? {
        guard let record = nextToReread() else { return nil }
        rereading = record.id
        onLink.append(record.id)
        return record
    }

    func ended(rereading record: CaptureRecord) {
        rereading = nil
        onLink.removeAll { $0 == record.id }
        rereads.ended(record.id)
    }

    func wakeUp() { wake.yield() }

    private func noLongerFetched(_ record: CaptureRecord) {
        fetching[record.id] = nil
        onLink.removeAll { $0 == record.id }
    }

    // MARK: in quiet moments

    /// Looks after everything that has no event of its own.
    private func tick() async {
        while (try? await Task.sleep(for: shared.settings.quietTick)) != nil {
            guard end == nil else { return }
            settleLeft()
            guard isListed, fetching.isEmpty, publishing == 0 else { continue }
            // What still waits then waits for room on the disk; the camera is looked after meanwhile.
            let duty = quiet.next()
            do throws(WorkerFailure) {
                switch duty {
                case .nothing: break
                case .reconcile:
                    if hasNewDoubts {
                        end = end ?? .relist
                    } else if quiet.reconciled(missing: try await session.missing()) {
                        end = end ?? .relist
                    }
                case .refresh: try await session.refresh()
                case .retryParked:
                    queue.append(failed.unpark())
                case .retryDamaged: readDamagedAgain()
                }
            } catch {
                if error.kind == .disconnected || error.kind == .timeout {
                    end = end ?? .lost(afterProgress: hasProgress)
                } else if duty == .reconcile, error.kind != .unsupported {
                    quiet.refused()
                }
            }
            wake.yield()
        }
    }

    /// Gives running fetches a moment, then cuts the worker off: what is not done is left to catch-up.
    private func drain(_ group: inout DiscardingTaskGroup) async {
        guard !isOver else { return }
        group.addTask { [session, shared, wake, end] in
            try? await Task.sleep(for: Self.drainTime)
            session.abandon()
            if end == .stopping { await shared.publisher.giveUp() }
            wake.yield()
        }
        for await _ in wakes where isOver { return }
    }

    /// Whether nothing more comes of the session. What stays in a camera is known from its last words.
    private var isOver: Bool {
        guard case .lost = end, leavesPhotosBehind else { return isLinkFree }
        return isLinkFree && hasHeardOut
    }

    // MARK: what people see

    func showState() {
        shared.registry.update(session.camera, state: fetching.isEmpty ? .ready : .downloading)
        onTransfer(fetching.min { $0.key < $1.key }?.value)
    }

    private func showProgress(_ bytes: UInt64) {
        guard let first = fetching.keys.min() else { return }
        fetching[first]?.bytes = bytes
        onTransfer(fetching[first])
    }

    private func judge(_ facts: CameraFacts) {
        CameraConcerns.judge(
            facts, camera: session.camera, name: shared.naming.camera(identity).name,
            health: shared.health)
    }
}
