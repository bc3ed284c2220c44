public import Cameras
import Foundation
public import FrameFastModel
public import FrameFastSystem
public import Logging
import ServiceLifecycle
public import Store
import Synchronization
import WorkerProtocol

/// Takes the photos from connected cameras to the disk.
public final class CaptureEngine: SessionOwner, Sendable {
    /// What every camera's intake shares.
    struct Shared: Sendable {
        let settings: CaptureSettings
        let ledger: LedgerStore
        /// Photos that may be older are looked for on the disk.
        let ledgerBirth: Date
        let folders: WorkFolders
        let parts: PartFiles
        let publisher: Publisher
        let naming: CaptureNaming
        let registry: CameraRegistry
        let health: HealthBoard
        let concern: LedgerConcern
        let room: FreeSpace
        let tally = SaveTally()
        let leftInCameras: LeftInCameraStore
        let onCapture: @Sendable (CaptureRecord) -> Void
        let logger: Logger
    }

    let shared: Shared
    private let identities: CameraIdentities
    private let timeline: Mutex<SessionTimeline>
    let memories = Mutex<[BodyID: CameraMemory]>([:])
    /// What takes photos at present, by body.
    private let intakes = Mutex<[BodyID: Intake]>([:])

    /// Makes photos durable; run it as a service that stops after the cameras.
    public var publisher: Publisher { shared.publisher }
    /// Looks after the capture directory; run it as a service.
    public let folderWatch: FolderWatch
    /// How photos are named.
    public var naming: CaptureNaming { shared.naming }

    /// Prepares the capture directory and mends what a crash left behind.
    ///
    /// What keeps the directory from being used becomes a condition: photos wait on the cards until it is out of the way.
    ///
    /// - Parameters:
    ///   - advice: What to do when a call on the directory was refused; `nil` when the usual is right.
    ///   - onCapture: Told a photo's record whenever it goes on.
    /// - Throws: ``CaptureDirectoryError``, and what the ledger throws.
    public convenience init(
        settings: CaptureSettings, ledger: LedgerStore, registry: CameraRegistry, health: HealthBoard,
        logger: Logger, advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil },
        onCapture: @escaping @Sendable (CaptureRecord) -> Void
    ) async throws {
        try await self.init(
            settings: settings, ledger: ledger, registry: registry, health: health, logger: logger,
            advice: advice, sync: DiskSync(), onCapture: onCapture)
    }

    init(
        settings: CaptureSettings, ledger: LedgerStore, registry: CameraRegistry, health: HealthBoard,
        logger: Logger, advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil },
        sync: DiskSync, onCapture: @escaping @Sendable (CaptureRecord) -> Void
    ) async throws {
        let folders = try WorkFolders(settings, advice: advice)
        let parts = PartFiles(folder: settings.incomingFolder)
        let concern = LedgerConcern(health: health)
        let room = FreeSpace(
            directory: settings.directory, minFreeBytes: settings.minFreeBytes, health: health)
        folderWatch = FolderWatch(
            folders: folders, room: room,
            repair: StartupRepair(
                ledger: ledger, parts: parts, directory: settings.directory, logger: logger),
            health: health, concern: concern)
        try await folderWatch.look()
        let naming = CaptureNaming(settings: settings)
        let sessions = try await ledger.sessions().map(\.session)
        for session in sessions { naming.learn(session) }
        timeline = Mutex(SessionTimeline(sessions))
        // The one that was there last is learned last: a camera is what it was then.
        for (body, camera) in try await ledger.knownCameras().reversed() {
            naming.learn(camera, identity: body)
        }
        if settings.verify == .structure {
            let count = try await ledger.endAwaitingReread()
            if count > 0 {
                logger.notice(
                    "photos that waited for a second reading count as they are",
                    metadata: ["count": "\(count)"])
            }
        }
        shared = Shared(
            settings: settings, ledger: ledger, ledgerBirth: try await ledger.birth(), folders: folders,
            parts: parts,
            publisher: Publisher(
                ledger: ledger, settings: settings, folders: folders, naming: naming, concern: concern,
                sync: sync, logger: logger),
            naming: naming, registry: registry, health: health, concern: concern,
            room: room, leftInCameras: LeftInCameraStore(path: settings.leftMemory), onCapture: onCapture,
            logger: logger)
        identities = CameraIdentities(
            try await ledger.knownBodies(), ledger: ledger, parts: parts, registry: registry, health: health)
    }

    /// Starts the session that new photos belong to, or ends the running one if `session` is `nil`.
    public func use(_ session: Session?) {
        if let session { naming.learn(session) }
        timeline.withLock { $0.run(session, at: Date()) }
    }

    /// What was saved in this run.
    public var tally: SaveTally { shared.tally }

    /// How the disk stands.
    public var disk: DiskGuard { shared.room.look() }

    /// Keeps this many bytes free on the capture disk from now on.
    public func keep(minFreeBytes: UInt64) { shared.room.keep(minFreeBytes: minFreeBytes) }

    /// Takes the disk that is there now for the capture directory, whatever was there before.
    ///
    /// - Returns: what still keeps photos from it and what to do; `nil` when they can be saved.
    public func adoptFolder() async throws -> (problem: String, nextStep: String)? {
        try await folderWatch.adopt().map { ($0.problem, $0.nextStep) }
    }

    /// Fetches a photo again that was set aside: now, or when its camera is back.
    ///
    /// - Returns: `nil` when it is not set aside.
    public func tryAgain(_ id: CaptureID) async throws -> CaptureRecord? {
        guard let record = try await shared.ledger.tryAgain(id: id) else { return nil }
        shared.onCapture(record)
        await intakes.withLock { $0[record.bodyID] }?.takeUpAgain(record)
        return record
    }

    /// Asks each connected camera for what was announced while the computer slept.
    public func computerWoke() async {
        for intake in intakes.withLock({ Array($0.values) }) { await intake.computerSlept() }
    }

    /// Who a connected camera is in the ledger; `nil` while it is not connected.
    public func identity(ofCamera id: CameraID) -> BodyID? { identities.identity(ofCamera: id) }

    /// A card was read whole of a body that gives the same serial number as others. What waits as a photo of one of them,
    /// is not on its card, and is on record of another one was told of while they were taken for each other.
    private func forgetTakenForEachOther(_ identity: BodyID) async throws {
        let family = identities.namesakes(of: identity).union([identity])
        guard family.count > 1 else { return }
        for camera in family {
            let waiting =
                if let intake = intakes.withLock({ $0[camera] }) { await intake.notOnCard } else {
                    // What a memory held that cannot be listed is told of when that camera is back.
                    try await shared.ledger.pending(camera: camera).filter { !$0.object.isInMemory }.map(\.id)
                }
            let forgotten = try await shared.ledger.forgetKnown(
                waiting, elsewhere: family.subtracting([camera]))
            guard !forgotten.isEmpty else { continue }
            shared.logger.info(
                "photos are those of another camera of its serial number",
                metadata: ["camera": "\(naming.camera(camera).name)", "count": "\(forgotten.count)"])
        }
    }

    /// Takes photos from one camera until its session ends.
    public func serve(_ session: CameraSession) async -> SessionEnd {
        do {
            let identity = try await identities.connect(session)
            defer { identities.disconnect(session) }
            if let status = shared.registry.camera(session.camera) {
                naming.learn(
                    PhotoCamera(status, zone: session.configured.zone), identity: identity)
            }
            let context = SessionContext(session: session, identity: identity, shared: shared)
            let intake = Intake(
                context,
                memory: memories.withLock { $0[identity] }
                    ?? CameraMemory(left: shared.leftInCameras[identity, at: Date()]),
                timeline: { [self] in timeline.withLock { $0 } },
                onListed: { [self] in try await forgetTakenForEachOther(identity) })
            intakes.withLock { $0[identity] = intake }
            defer {
                intakes.withLock { $0[identity] = nil }
                shared.registry.update(session.camera, transfer: nil)
            }
            var (end, memory) = try await intake.run()
            memory.endedAt = Date()
            memories.withLock { [memory] in $0[identity] = memory }
            context.keep(memory.left)
            return end
        } catch let failure as WorkerFailure {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(failure.text)"])
            return .lost(afterProgress: false)
        } catch {
            shared.logger.error("cannot use the ledger", metadata: ["reason": "\(error)"])
            shared.concern.failed(error)
            return .lost(afterProgress: false)
        }
    }
}
