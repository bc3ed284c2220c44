import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Hooks
import Logging
import Makers
import NetworkCost
import Previews
import SettingKeys
import Store
import USBHotplug
import UploadEngine

/// The engines and the objects that services share. Only the composition of the service uses this type.
struct DaemonParts {
    /// The clock of all parts.
    let clock: HostClock
    /// The current configuration.
    let configuration: CurrentValue<Configuration>
    let settings: CaptureSettings
    let ledger: LedgerStore
    let registry: CameraRegistry
    let conditionBoard: ConditionBoard
    let engine: CaptureEngine
    let fleet: CameraFleet
    let knowledge: KnowledgeBase
    let guid: ServiceGUID
    /// The computer's USB bus, or `nil` for a computer without USB.
    let bus: USBBus?
    let uploads: UploadService
    /// The service that makes small pictures of saved photos.
    let previews: PreviewService
    let hooks: HookService
    let hookFeed: HookFeed
    let events = DomainEvents()
    let hub: EventHub
    let log: EventLog
    let newest = NewestCaptures()
    /// The object that changes settings of cameras and counts the results.
    let changer = SettingsChanger()
    let presets: PresetStore
    let sessionPresets: SessionPresets
    let intervals: IntervalPlans
    let groupRelease: GroupRelease
    /// The object that prepares newly connected cameras.
    let connected: ConnectedCameras
    let destinationReplies: DestinationReplies
    /// The statistics of all destinations together, from the queue's last report.
    let uploadStatistics = CurrentValue(UploadStatisticsReply())
    /// Creates a destination from its configuration table.
    let makeTarget: @Sendable (Configuration.Destination) throws -> UploadTarget
    /// The meter of the network's cost, or `nil` if no destination holds photos on a metered network.
    let meter: NetworkMeter?
    /// The devices of the web page.
    let web: WebAccess
    /// The service that keeps this computer awake while a session runs.
    let sleepInhibitor: SleepInhibitor

    /// Creates the parts.
    ///
    /// - Parameter pictureWorkers: The function that starts picture workers, or `nil` for the installed
    ///   program.
    init(
        configuration: Configuration, clock: HostClock, logger: Logger,
        pictureWorkers: PictureWorkerStart? = nil
    ) async throws {
        self.clock = clock
        self.configuration = CurrentValue(configuration)
        hub = EventHub(clock: clock)
        groupRelease = GroupRelease(clock: clock)
        destinationReplies = DestinationReplies(configuration: self.configuration, clock: clock)
        log = EventLog(logger: logger)
        presets = PresetStore(folder: configuration.state.directory + "/presets")
        let events = events
        let (ledger, replacement) = try LedgerFile(configuration).open(at: clock.now())
        let conditionBoard = ConditionBoard(clock: clock) { conditions in
            events.publish(.conditions(conditions))
        }
        if let replacement { conditionBoard.raise(replacement) }
        if ledger.isFromNewerVersion {
            logger.warning("a newer version changed the ledger: install that version of FrameFast again")
        }
        conditionBoard.recordWebReachability(WebReachability(configuration.web))
        web = try await .stored(in: ledger, conditionBoard: conditionBoard, clock: clock, logger: logger)
        registry = CameraRegistry(clock: clock) { status in events.publish(.camera(status)) }
        let settings = try CaptureSettings(
            configuration.capture, stateDirectory: configuration.state.directory)
        (self.ledger, self.conditionBoard, self.settings) = (ledger, conditionBoard, settings)
        // Errors are ignored. If the entry is missing, the only effect is that a purge of the package prints
        // fewer folders.
        try? PhotoFolderList(stateDirectory: configuration.state.directory).add(settings.directory)
        let environment = ProcessInfo.processInfo.environment
        engine = try await CaptureEngine(
            settings: settings, ledger: ledger, registry: registry, conditionBoard: conditionBoard,
            logger: logger,
            clock: clock,
            advice: { CaptureFolderAdvice(settings.directory, $0, environment: environment).text }
        ) { record in events.publish(.capture(record)) }
        let reserve = DiskReserve { [configuration = self.configuration] in
            let now = configuration.now
            guard let own = try? DiskIdentity.of(now.state.directory),
                let photos = try? DiskIdentity.of(settings.directory), own.isSame(as: photos)
            else { return 0 }
            return UInt64(clamping: now.capture.minFreeBytes)
        }
        previews = PreviewService(
            cache: PictureCache(
                folder: configuration.state.directory + "/previews", reserveBytes: { reserve.bytes() },
                clock: clock),
            records: PreviewRecords(
                find: { try await ledger.preview(sha256: $0) },
                save: { record, file in
                    try await ledger.savePreview(record)
                    events.publish(.preview(file))
                }),
            start: pictureWorkers
                ?? PictureWorkerStart(program: WorkerProgram.picturePath(environment: environment)),
            source: { id in try? await ledger.shotOverview(of: ShotID(first: id))?.unexaminedPhoto },
            cores: ProcessInfo.processInfo.activeProcessorCount, clock: clock, logger: logger)
        let meter =
            configuration.needsMeteredCheck
            ? NetworkMeter(
                configuration.upload, events: events, conditionBoard: conditionBoard, clock: clock,
                logger: logger) : nil
        self.meter = meter
        let makeTarget: @Sendable (Configuration.Destination) throws -> UploadTarget = { destination in
            try UploadTarget(
                destination, stateDirectory: configuration.state.directory,
                captureDirectory: settings.directory, logger: logger)
        }
        self.makeTarget = makeTarget
        uploads = try await UploadService(
            settings: UploadSettings(
                policy: UploadModePolicy(configuration.upload), keep: configuration.storage.keep,
                stateDirectory: configuration.state.directory,
                isMetered: { await meter?.isMetered() ?? false }),
            targets: try configuration.destinations.map(makeTarget), store: ledger, clock: clock,
            logger: logger
        ) { event in
            conditionBoard.record(event)
            events.publish(.upload(event))
        }
        let facts = HookFacts(
            naming: engine.naming, ledger: ledger, directory: settings.directory, logger: logger)
        hooks = HookService(
            hooks: configuration.hooks.map(Hook.init), logger: logger, clock: clock,
            lookUp: { await facts.lookUp($0) },
            onOverflow: { hook, condition in
                if let condition {
                    conditionBoard.raise(condition)
                } else {
                    conditionBoard.clear(.hookBehind, subject: .hook(hook))
                }
            })
        hookFeed = HookFeed(service: hooks, facts: facts)
        let settingsOfWorkers = WorkerSettings(
            program: WorkerProgram.path(environment: environment),
            homes: configuration.state.directory + "/cameras", drivers: configuration.drivers.allowed,
            photos: settings.incomingFolder)
        try DurableFile.createFolder(settingsOfWorkers.homes)
        guid = try ServiceGUID.installed(in: configuration.state.directory, clock: clock)
        let workers = WorkerStart(
            settings: settingsOfWorkers, drivers: try settingsOfWorkers.prepareDrivers(), guid: guid)
        knowledge = try KnowledgeBase.bundled()
        bus = Self.bus(logger)
        sleepInhibitor = SleepInhibitor(logger: logger, clock: clock) {
            [configuration = self.configuration] in
            guard configuration.now.capture.keepsAwake else { return false }
            do { return try await ledger.currentSession() != nil } catch { return nil }
        }
        sessionPresets = SessionPresets(
            store: GiveBackStore(path: configuration.state.directory + "/give-back.json"),
            registry: registry, changer: changer, logger: logger)
        intervals = IntervalPlans(
            store: IntervalStore(folder: configuration.state.directory + "/intervals"), logger: logger,
            clock: clock)
        connected = ConnectedCameras(
            engine: engine, intervals: intervals, presets: presets, sessions: sessionPresets,
            changer: changer, ledger: ledger,
            conditionBoard: conditionBoard, logger: logger, clock: clock)
        fleet = CameraFleet(
            options: .init(configuration), storage: .init(ledger), knowledge: knowledge, workers: workers,
            bus: bus, owner: connected, registry: registry, conditionBoard: conditionBoard, logger: logger,
            clock: clock)
    }

    /// Opens the computer's USB bus, or returns `nil` if that fails. Network cameras work without USB.
    private static func bus(_ logger: Logger) -> USBBus? {
        do throws(USBError) { return try USBBus() } catch {
            logger.log(
                level: error == .noUSB ? .notice : .error, "cannot use USB cameras",
                metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

extension CameraFleet.Options {
    init(_ configuration: Configuration) {
        let settings = ConfiguredCamera(configuration.capture)
        self.init(
            configured: configuration.cameras.map(ConfiguredCamera.init),
            newcomer: configuration.usb.detects ? settings : nil, kept: settings,
            allowances: DeviceAllowances(configuration))
    }
}

extension LedgerFile {
    init(_ configuration: Configuration) {
        self.init(path: configuration.state.directory + "/ledger.sqlite")
    }
}

extension ConditionBoard {
    fileprivate func raise(_ replacement: LedgerFile.Replacement) {
        raise(
            .ledgerReplaced,
            sentence:
                "The ledger was damaged (\(replacement.reason)) and was moved to \(replacement.keptAt). The new ledger has "
                + "\(replacement.captures) files and \(replacement.uploads) uploads from it.",
            nextStep:
                "Connect the cameras: FrameFast finds missing photos on disk or fetches them again. Check the disk "
                + "of the state directory, for example with 'sudo dmesg'. This message clears at the next start of the "
                + "service.")
    }
}

extension DeviceAllowances {
    init(_ configuration: Configuration) {
        self.init(phoneSerials: Set(configuration.usb.phones))
        library = WorkerSettings.libraryVersion ?? library
    }
}

extension RosterStorage {
    init(_ ledger: LedgerStore) {
        self.init(
            load: { try await ledger.roster() }, store: { try await ledger.saveCamera($0) },
            delete: { try await ledger.forget(camera: $0) })
    }
}
