public import Cameras
import Foundation
public import FrameFastModel
public import FrameFastSystem
public import Logging
public import Store
import Synchronization
import WorkerProtocol

/// An engine that transfers photos from connected cameras to the disk.
public final class CaptureEngine: ConnectionOwner, Sendable {
    let shared: Shared
    private let identities: CameraIdentities
    private let timeline: Mutex<SessionTimeline>
    let intakeStates = Mutex<[BodyID: IntakeState]>([:])
    let intakes: RunningIntakes

    /// The publisher, which makes photos durable. Run it as a service that stops after the cameras.
    public var publisher: Publisher { shared.publisher }
    /// The monitor of the capture directory. Run it as a service.
    public let folderWatch: FolderWatch
    /// The naming of photos.
    public var naming: CaptureNaming { shared.naming }

    /// Prepares the capture directory, and completes or rolls back the steps that a crash interrupted.
    ///
    /// If the directory is missing or cannot be written, the engine raises a condition. Photos wait on the
    /// cards until the cause is fixed.
    ///
    /// - Parameters:
    ///   - clock: The clock of the transfers and checks.
    ///   - advice: Returns the next step after a system call on the directory failed, or `nil` for the usual
    ///     next step.
    ///   - onCapture: Called with a photo's record whenever its state changes.
    /// - Throws: ``CaptureDirectoryError`` if another service uses the directory, or an error of the ledger.
    public convenience init(
        settings: CaptureSettings, ledger: LedgerStore, registry: CameraRegistry,
        conditionBoard: ConditionBoard,
        logger: Logger, clock: HostClock,
        advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil },
        onCapture: @escaping @Sendable (CaptureRecord) -> Void
    ) async throws {
        try await self.init(
            settings: settings, ledger: ledger, registry: registry, conditionBoard: conditionBoard,
            logger: logger,
            clock: clock, advice: advice, sync: DiskSync(), onCapture: onCapture)
    }

    init(
        settings: CaptureSettings, ledger: LedgerStore, registry: CameraRegistry,
        conditionBoard: ConditionBoard,
        logger: Logger, clock: HostClock,
        advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil },
        sync: DiskSync, onCapture: @escaping @Sendable (CaptureRecord) -> Void
    ) async throws {
        let folders = try WorkFolders(settings, advice: advice)
        let parts = PartFiles(folder: settings.incomingFolder, clock: clock)
        let ledgerCondition = LedgerCondition(conditionBoard: conditionBoard)
        let naming = CaptureNaming(settings: settings)
        let freeSpace = FreeSpaceMonitor(
            directory: settings.directory, minFreeBytes: settings.minFreeBytes,
            conditionBoard: conditionBoard, clock: clock, folder: { naming.folder(of: $0) })
        let intakes = RunningIntakes()
        self.intakes = intakes
        folderWatch = FolderWatch(
            folders: folders, freeSpace: freeSpace,
            repair: StartupRepair(
                ledger: ledger, parts: parts, directory: settings.directory, logger: logger, clock: clock,
                requestListing: { await intakes[$0]?.requestListing() }, onSaved: onCapture),
            conditionBoard: conditionBoard, ledgerCondition: ledgerCondition, clock: clock)
        try await folderWatch.check()
        let sessions = try await ledger.sessions().map(\.session)
        for session in sessions { naming.add(session) }
        timeline = Mutex(SessionTimeline(sessions))
        // The most recently connected camera is added last, because a camera ID must map to its latest body.
        for (body, camera) in try await ledger.knownCameras().reversed() {
            naming.add(camera, identity: body)
        }
        if settings.verify == .structure {
            let count = try await ledger.endAwaitingReread()
            if count > 0 {
                logger.notice(
                    "photos that waited for a second reading are accepted without it",
                    metadata: ["count": "\(count)"])
            }
        }
        shared = Shared(
            settings: settings, ledger: ledger, ledgerCreatedAt: try await ledger.creationDate(),
            folders: folders,
            parts: parts,
            publisher: Publisher(
                ledger: ledger, settings: settings, folders: folders, naming: naming,
                ledgerCondition: ledgerCondition,
                sync: sync, logger: logger, clock: clock),
            naming: naming, registry: registry, conditionBoard: conditionBoard,
            ledgerCondition: ledgerCondition,
            freeSpace: freeSpace, saveStatistics: SaveStatistics(clock: clock),
            leftInCameras: LeftInCameraStore(path: settings.leftPhotosPath), onCapture: onCapture,
            logger: logger, clock: clock)
        identities = CameraIdentities(
            try await ledger.knownBodies(), ledger: ledger, parts: parts, registry: registry,
            conditionBoard: conditionBoard,
            clock: clock)
    }

    /// Starts the session that new photos belong to, or ends the running session if `session` is `nil`.
    public func setSession(_ session: Session?) {
        if let session { naming.add(session) }
        timeline.withLock { $0.startOrStop(session, at: shared.clock.now()) }
    }

    /// The counts of photos saved in this run.
    public var saveStatistics: SaveStatistics { shared.saveStatistics }

    /// The current state of the disk.
    public var disk: DiskGuard { shared.freeSpace.poll() }

    /// Sets the disk space that stays free on the capture disk, in bytes.
    public func setMinFreeBytes(_ bytes: UInt64) { shared.freeSpace.setMinFreeBytes(bytes) }

    /// Accepts the current disk as the disk of the capture directory.
    ///
    /// - Returns: The problem that still prevents saving and its next step, or `nil` if photos can be
    ///   saved.
    public func adoptCurrentDisk() async throws -> (problem: String, nextStep: String)? {
        try await folderWatch.adopt().map { ($0.problem, $0.nextStep) }
    }

    /// Queues a set-aside photo for another fetch. If its camera is not connected, the fetch starts after the
    /// camera reconnects.
    ///
    /// - Returns: The photo's record, or `nil` if the photo is not set aside.
    public func retry(_ id: CaptureID) async throws -> CaptureRecord? {
        guard let record = try await shared.ledger.retrySetAside(id: id) else { return nil }
        shared.onCapture(record)
        await intakes[record.bodyID]?.refetch(record)
        return record
    }

    /// Schedules a comparison of each connected camera's handles with the reported objects, because
    /// announcements during the computer's sleep may be lost.
    public func computerWoke() async {
        for intake in intakes.all { await intake.computerSlept() }
    }

    /// Returns the body of a connected camera, or `nil` if the camera is not connected.
    public func identity(ofCamera id: CameraID) -> BodyID? { identities.identity(ofCamera: id) }

    /// Deletes the records of photos that were assigned to the wrong body, because several bodies have the
    /// same serial number. Called after the whole card of one of these bodies was listed. A waiting photo
    /// belongs to another body if the photo is missing on this body's card and the ledger also has it for the
    /// other body.
    private func forgetMisassigned(_ identity: BodyID) async throws {
        let family = identities.sharedSerials(of: identity).union([identity])
        guard family.count > 1 else { return }
        for camera in family {
            let forgotten = try await intakes.withoutStarts {
                let waiting =
                    if let intake = intakes[camera] { await intake.notOnCard } else {
                        // This camera is not connected. Photos in its memory are checked when it reconnects.
                        try await shared.ledger.pending(camera: camera).filter { !$0.object.isInMemory }
                            .map(\.id)
                    }
                return try await shared.ledger.forgetKnown(
                    waiting, elsewhere: family.subtracting([camera]))
            }
            guard let forgotten, !forgotten.isEmpty else { continue }
            shared.logger.info(
                "removed records of photos that belong to another camera with the same serial number",
                metadata: ["camera": "\(naming.camera(camera).name)", "count": "\(forgotten.count)"])
        }
    }

    /// Transfers photos from one camera until its connection ends.
    public func serve(_ connection: CameraConnection) async -> ConnectionEnd {
        do {
            let (identity, isProven, mixed) = try await identities.connect(connection)
            defer { identities.disconnect(connection) }
            if let status = shared.registry.camera(connection.camera) {
                naming.add(
                    PhotoCamera(status, zone: connection.configured.zone), identity: identity)
            }
            for body in mixed { await intakes[body]?.listMarkedPhotos() }
            let context = ConnectionContext(
                connection: connection, identity: identity, isProven: isProven, shared: shared)
            let intake = Intake(
                context,
                previous: intakeStates.withLock { $0[identity] }
                    ?? IntakeState(left: shared.leftInCameras[identity, at: shared.clock.now()]),
                timeline: { [self] in timeline.withLock { $0 } },
                onListed: { [self] in try await forgetMisassigned(identity) })
            guard await intakes.start(intake, of: identity) else { return .stopping }
            defer {
                intakes.removeIntake(of: identity)
                shared.registry.update(connection.camera, transfer: nil)
            }
            var (end, state) = try await intake.run()
            state.endedAt = shared.clock.now()
            intakeStates.withLock { [state] in $0[identity] = state }
            context.saveLeft(state.left)
            return end
        } catch let failure as WorkerFailure {
            shared.logger.warning("cannot list the card", metadata: ["reason": "\(failure.text)"])
            return .lost(afterProgress: false)
        } catch {
            shared.logger.error("cannot use the ledger", metadata: ["reason": "\(error)"])
            shared.ledgerCondition.raise(error)
            return .lost(afterProgress: false)
        }
    }
}
