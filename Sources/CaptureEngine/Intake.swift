import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import ServiceLifecycle
import Store
import SystemPackage
import WorkerProtocol

/// Takes the photos of one session: what is on the card and not on disk, then what is announced, in order.
///
/// Events are hints. The object list is held against the ledger when the session begins, and the camera's own
/// handles against what this session knows after each burst.
actor Intake {
    /// Fetches under way: one on the link, one whose hash and last writes are still running.
    private static let fetchesMax = 2
    /// Photos between "bytes are here" and "saved": bounds memory and work that a full stop would lose.
    private static let publishingMax = 32
    /// Failed attempts in one session before a photo waits for a quieter moment.
    private static let attemptsMax = 3
    /// Time for running fetches when the service stops or the camera is lost.
    private static let drainTime: Duration = .seconds(3)

    private let session: CameraSession
    private let shared: CaptureEngine.Shared
    private let sessionID: @Sendable () -> Int64?
    private let onTransfer: @Sendable (CaptureEngine.Transfer?) -> Void
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private var queue: [CaptureRecord] = []
    private var parked: [CaptureRecord] = []
    private var fetching: [Int64: CaptureEngine.Transfer] = [:]
    private var publishing = 0
    private var attempts: [Int64: Int] = [:]
    private var earlierHash: [Int64: String] = [:]
    private var end: SessionEnd?
    private var hasProgress = false
    private var quiet: QuietTime
    private var ledgerFailure: (any Error)?

    /// - Parameter unlistable: Objects that stayed missing after the last new session: no reason for another one.
    init(
        session: CameraSession, shared: CaptureEngine.Shared, unlistable: Int,
        sessionID: @escaping @Sendable () -> Int64?,
        onTransfer: @escaping @Sendable (CaptureEngine.Transfer?) -> Void
    ) {
        self.session = session
        self.shared = shared
        self.sessionID = sessionID
        self.onTransfer = onTransfer
        quiet = QuietTime(unlistable: unlistable, facts: session.facts)
    }

    /// Runs until the session ends.
    ///
    /// - Returns: why it ended, and how many objects the driver cannot list.
    /// - Throws: when the ledger cannot be used.
    func run() async throws -> (SessionEnd, unlistable: Int) {
        try await catchUp()
        judge(session.facts)
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask { await self.tick() }
                wake.yield()
                for await _ in wakes {
                    if Task.isCancelled || Task.isShuttingDownGracefully { end = end ?? .stopping }
                    guard end == nil else { break }
                    while let record = nextToFetch() {
                        group.addTask { await self.take(record) }
                    }
                }
                await drain(&group)
                group.cancelAll()
            }
        } onGracefulShutdown: { [wake] in
            wake.yield()
        }
        if let ledgerFailure { throw ledgerFailure }
        return (end ?? .stopping, quiet.unlistable)
    }

    // MARK: what there is to fetch

    /// Holds the object list against the ledger.
    private func catchUp() async throws {
        let isFirstMeeting = try await !shared.ledger.hasMet(camera: session.identity)
        let objects: [CameraObject]
        do { objects = try await session.list() } catch {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(error.text)"])
            end = .lost(afterProgress: false)
            return
        }
        let unwanted = isFirstMeeting && shared.settings.existing == .skip
        try await enter(objects, as: unwanted ? .skipped : .seen)
        if let status = shared.registry.camera(session.camera) {
            var known = status
            known.id = session.identity
            known.facts = session.facts
            try await shared.ledger.remember(known, at: Date())
        }
        let listed = Set(objects)
        queue = try await shared.ledger.pending(camera: session.identity).filter {
            listed.contains($0.object)
        }
        if !queue.isEmpty {
            shared.logger.info(
                "photos to catch up", metadata: ["camera": "\(session.camera)", "count": "\(queue.count)"])
        }
    }

    private func enter(_ objects: [CameraObject], as state: CaptureRecord.State) async throws {
        let new = try await shared.ledger.recordSeen(
            objects, camera: session.identity, session: sessionID(), at: Date(), as: state)
        for record in new { shared.onCapture(record) }
        guard state == .seen else { return }
        queue.append(contentsOf: new)
    }

    private func listen() async {
        for await notice in session.notices {
            switch notice {
            case .objectAdded(let object):
                quiet.heard()
                do { try await enter([object], as: .seen) } catch {
                    ledgerFailure = error
                    end = .lost(afterProgress: hasProgress)
                }
            case .listChanged: quiet.heard()
            case .progress(let bytes): showProgress(bytes)
            case .facts(let facts):
                quiet.compare(facts)
                judge(facts)
            case .lost(let failure):
                shared.logger.info(
                    "camera lost", metadata: ["camera": "\(session.camera)", "reason": "\(failure.text)"])
                end = end ?? .lost(afterProgress: hasProgress)
            }
            wake.yield()
        }
        end = end ?? .lost(afterProgress: hasProgress)
        wake.yield()
    }

    private func nextToFetch() -> CaptureRecord? {
        guard fetching.count < Self.fetchesMax, publishing < Self.publishingMax, let record = queue.first
        else { return nil }
        let underWay = fetching.values.reduce(UInt64(0)) { $0 &+ ($1.total - min($1.total, $1.bytes)) }
        guard shared.room.admits(record.object.size &+ underWay) else { return nil }
        queue.removeFirst()
        fetching[record.id] = CaptureEngine.Transfer(
            name: record.object.name, bytes: 0, total: record.object.size)
        showState()
        return record
    }

    // MARK: one photo

    private func take(_ record: CaptureRecord) async {
        let partPath = shared.parts.path(record.id)
        do throws(WorkerFailure) {
            try? DurableFile.remove(partPath)
            let result = try await session.fetch(record.object, into: partPath)
            fetching[record.id] = nil
            publishing += 1
            showState()
            wake.yield()
            await publish(record, result, partPath)
            publishing -= 1
        } catch {
            fetching[record.id] = nil
            await fetchFailed(record, error)
        }
        showState()
        wake.yield()
    }

    private func publish(_ record: CaptureRecord, _ result: FetchResult, _ partPath: String) async {
        let cameTwice = earlierHash[record.id] == result.sha256
        let arrival = LedgerStore.Arrival(
            id: record.id, bytes: result.bytes, sha256: result.sha256, transferMs: result.transferMs)
        let item = Publisher.Item(
            arrival: arrival, name: record.object.name, partPath: partPath,
            expectedBytes: cameTwice ? nil : record.object.size)
        switch await shared.publisher.publish(item) {
        case .saved(let saved):
            hasProgress = true
            earlierHash[record.id] = nil
            shared.onCapture(saved)
            if attempts[record.id] != nil { shared.health.clear("photo-failing", subject: session.camera) }
            if session.configured.deletesAfterSave { await deleteOnCamera(saved) }
        case .damaged(let how) where cameTwice: await setAside(record, how, partPath)
        case .damaged(let how):
            // Read twice before believing it: a flipped or missing byte on the way differs the second time.
            shared.logger.notice(
                "fetching again", metadata: ["name": "\(record.object.name)", "why": "\(how)"])
            earlierHash[record.id] = result.sha256
            try? DurableFile.remove(partPath)
            queue.append(record)
        case .failed(let error): hostFailed(record, error)
        }
    }

    private func deleteOnCamera(_ record: CaptureRecord) async {
        do throws(WorkerFailure) {
            try await session.delete(record.object)
        } catch {
            shared.logger.warning("cannot delete on the camera", metadata: ["reason": "\(error.text)"])
            return
        }
        try? await shared.ledger.markDeletedOnCamera(id: record.id, at: Date())
    }

    // MARK: when it fails

    private func fetchFailed(_ record: CaptureRecord, _ failure: WorkerFailure) async {
        switch failure.kind {
        case .disconnected, .timeout:
            end = end ?? .lost(afterProgress: hasProgress)
        case .diskFull:
            shared.room.writeFailed()
            queue.insert(record, at: 0)
        case .hostIO:
            hostFailed(record, SystemCallError(call: "write", subject: failure.text, errno: .ioError))
        case .busy, .permission, .refused, .objectGone, .unsupported, .corrupt, .noDriver:
            attempts[record.id, default: 0] += 1
            _ = try? await shared.ledger.countFailure(id: record.id, failure: failure.text)
            shared.logger.notice(
                "cannot fetch", metadata: ["name": "\(record.object.name)", "reason": "\(failure.text)"])
            guard attempts[record.id, default: 0] >= Self.attemptsMax else { return queue.append(record) }
            parked.append(record)
            shared.health.raise(
                "photo-failing", .warning, subject: session.camera,
                sentence:
                    "\(session.camera): \(parked.count) photo(s) cannot be fetched (last: \(failure.text)); "
                    + "the others are taken.",
                nextStep: "Nothing to do now: they are tried again. Do not format the card.")
        }
    }

    private func hostFailed(_ record: CaptureRecord, _ error: SystemCallError) {
        shared.logger.error("cannot save", metadata: ["name": "\(record.object.name)", "reason": "\(error)"])
        if error.isDiskFull { shared.room.writeFailed() }
        parked.append(record)
        shared.health.raise(
            "save-failing", .danger, sentence: "Photos cannot be saved: \(error).",
            nextStep:
                "Check the disk that holds \(shared.settings.directory); they stay on the card and are tried again."
        )
    }

    private func setAside(_ record: CaptureRecord, _ how: String, _ partPath: String) async {
        let kept = "\(shared.settings.setAsideFolder)/\(record.id)-\(SafeName.component(record.object.name))"
        _ = try? DurableFile.publish(partPath, as: kept)
        do { try await shared.ledger.setAside(id: record.id, failure: how) } catch { ledgerFailure = error }
        if var told = try? await shared.ledger.capture(id: record.id) {
            told.failure = how
            shared.onCapture(told)
        }
        shared.health.raise(
            "photo-damaged", .danger, subject: session.camera,
            sentence:
                "\(session.camera): \(SafeName.component(record.object.name)) is damaged on the card (\(how)).",
            nextStep: "Look at it on the camera; what could be read is in \(kept). It stays on the card.")
    }

    // MARK: in quiet moments

    /// Looks after everything that has no event of its own.
    private func tick() async {
        while (try? await Task.sleep(for: QuietTime.tick)) != nil {
            guard end == nil else { return }
            guard fetching.isEmpty, publishing == 0 else { continue }
            guard queue.isEmpty else {
                wake.yield()  // the disk may have room again
                continue
            }
            do throws(WorkerFailure) {
                switch quiet.next() {
                case .nothing: break
                case .reconcile:
                    if quiet.reconciled(missing: try await session.missing()) { end = end ?? .relist }
                case .refresh: try await session.refresh()
                case .retryParked:
                    shared.health.clear("save-failing")
                    queue = parked
                    parked = []
                }
            } catch {
                guard error.kind == .disconnected || error.kind == .timeout else { continue }
                end = end ?? .lost(afterProgress: hasProgress)
            }
            wake.yield()
        }
    }

    /// Gives running fetches a moment, then cuts the worker off: what is not done is left to catch-up.
    private func drain(_ group: inout TaskGroup<Void>) async {
        guard !fetching.isEmpty || publishing > 0 else { return }
        group.addTask { [session, wake] in
            try? await Task.sleep(for: Self.drainTime)
            session.abandon()
            wake.yield()
        }
        for await _ in wakes where fetching.isEmpty && publishing == 0 { return }
    }

    // MARK: what people see

    private func showState() {
        shared.registry.update(session.camera, state: fetching.isEmpty ? .ready : .downloading)
        onTransfer(fetching.min { $0.key < $1.key }?.value)
    }

    private func showProgress(_ bytes: UInt64) {
        guard let first = fetching.keys.min() else { return }
        fetching[first]?.bytes = bytes
        onTransfer(fetching[first])
    }

    private func judge(_ facts: CameraFacts) {
        CameraConcerns.judge(facts, camera: session.camera, health: shared.health)
    }
}
