import APIServer
import Cameras
import CaptureEngine
import FleetLink
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Hooks
import Logging
import Makers
import Manifests
import NetworkCost
import Notices
import SettingKeys
import ShotPictures
import Store
import USBHotplug
import UploadEngine
import WebServer

/// The rooms, put together, and what the services share. Only what composes the service takes all of it.
struct DaemonParts {
    /// The configuration in force.
    let configuration: CurrentValue<Configuration>
    let settings: CaptureSettings
    let ledger: LedgerStore
    let registry: CameraRegistry
    let health: HealthBoard
    let engine: CaptureEngine
    let fleet: CameraFleet
    let knowledge: KnowledgeBase
    let guid: ServiceGUID
    /// `nil` on a computer without USB.
    let bus: USBBus?
    let uploads: UploadService
    let hooks: HookService
    let hookFeed: HookFeed
    let notices: NoticeService
    let events = DomainEvents()
    let hub = EventHub()
    let log: EventLog
    let newest = NewestCaptures()
    /// The page; `nil` when there is none.
    let web: WebService.Options?
    /// Who is let in to it.
    let desk: WebDesk
    /// Small pictures of photos.
    let pictures: ShotPictures
    /// What changes the settings of cameras.
    let changer = SettingsChanger()
    let presets: PresetStore
    let sessionPresets: SessionPresets
    let intervals: IntervalPlans
    let groupShots = GroupShots()
    let groupFrames: GroupFrames
    /// What becomes of cameras that are connected.
    let connected: ConnectedCameras
    let destinationReplies: DestinationReplies
    /// Of all destinations together, as the queue told them last.
    let uploadStatistics = CurrentValue(UploadStatisticsReply())
    /// From a destination's table to the destination at work.
    let makeTarget: @Sendable (Configuration.Destination) throws -> UploadTarget
    /// The computers of the fleet; `nil` where no broker is configured.
    let fleetOptions: FleetLink.Options?
    /// A word that stays while the numbers of events go on.
    let fleetBoot: String
    let logger: Logger
    /// Seals sessions, and verifies what was sealed.
    let manifests: ManifestService
    /// `nil` when no destination holds photos back on a network that costs money.
    let meter: NetworkMeter?

    init(configuration: Configuration, logger: Logger) async throws {
        self.configuration = CurrentValue(configuration)
        destinationReplies = DestinationReplies(configuration: self.configuration)
        log = EventLog(logger: logger)
        presets = PresetStore(folder: configuration.state.directory + "/presets")
        let events = events
        let ledger = try LedgerStore(path: configuration.state.directory + "/ledger.sqlite")
        let health = HealthBoard { conditions in events.tell(.conditions(conditions)) }
        registry = CameraRegistry { status in events.tell(.camera(status)) }
        let settings = try CaptureSettings(
            configuration.capture, sidecars: SidecarPolicy(configuration),
            stateDirectory: configuration.state.directory)
        (self.ledger, self.health, self.settings) = (ledger, health, settings)
        self.logger = logger
        fleetBoot = try await ledger.keepFleetEvents(configuration.fleet.broker != nil)
        fleetOptions = FleetLink.Options(configuration, boot: fleetBoot, health: health)
        let environment = ProcessInfo.processInfo.environment
        web = WebService.Options(configuration)
        desk = WebDesk(storage: .init(ledger)) { session in
            try? await ledger.sessions().first { $0.session.id == session }?.session.stoppedAt
        }
        pictures = ShotPictures(
            .init(
                program: WorkerProgram.picturePath(environment: environment),
                folder: configuration.state.directory + "/pictures"), logger: logger)
        engine = try await CaptureEngine(
            settings: settings, ledger: ledger, registry: registry, health: health, logger: logger,
            advice: { CaptureFolderAdvice(settings.directory, $0, environment: environment).text }
        ) { record in events.tell(.capture(record)) }
        let meter =
            configuration.needsMeter
            ? NetworkMeter(configuration.upload, events: events, health: health, logger: logger) : nil
        self.meter = meter
        let makeTarget: @Sendable (Configuration.Destination) throws -> UploadTarget = { destination in
            try UploadTarget(
                destination, stateDirectory: configuration.state.directory,
                captureDirectory: settings.directory, sidecars: SidecarPolicy(configuration),
                logger: logger)
        }
        self.makeTarget = makeTarget
        uploads = try await UploadService(
            settings: UploadSettings(
                policy: UploadModePolicy(configuration.upload), keep: configuration.storage.keep,
                stateDirectory: configuration.state.directory,
                manifests: { try ManifestFiles(SealedHistory(folder: $0)) },
                isMetered: { await meter?.isMetered() ?? false }),
            targets: try configuration.destinations.map(makeTarget), store: ledger, logger: logger
        ) { event in
            // What stands on the board is no news that may be left out.
            switch event {
            case .raised(let condition): health.raise(condition)
            case .cleared(let kind, let subject): health.clear(kind, subject: subject)
            default: break
            }
            events.tell(.upload(event))
        }
        manifests = ManifestService(
            settings: .init(configuration, template: settings.template), ledger: ledger, logger: logger,
            onGeneration: { [uploads] in await uploads.manifestSealed() }
        ) { folder, failure in
            guard let failure else { return health.clear(.manifestNotWritten, subject: .folder(folder)) }
            health.raise(
                .manifestNotWritten, subject: .folder(folder),
                sentence: "New photos in \(folder) could not be recorded in a manifest: \(failure).",
                nextStep: "Run 'framefast verify' to see what is wrong, then 'framefast session seal'.")
        }
        let facts = HookFacts(
            naming: engine.naming, ledger: ledger, directory: settings.directory, logger: logger)
        let ofHooks = configuration.hooks.map(Hook.init)
        try await ledger.keepEvents(of: ofHooks)
        hooks = HookService(
            hooks: ofHooks, logger: logger, storage: HookStorage(ledger, facts: facts),
            lookUp: { await facts.lookUp($0) },
            onOverflow: { hook, condition in
                if let condition {
                    health.raise(condition)
                } else {
                    health.clear(.hookBehind, subject: .hook(hook))
                }
            })
        hookFeed = HookFeed(service: hooks, facts: facts)
        let registry = self.registry
        let ofNotices = configuration.notices.map(Notice.init)
        try await ledger.forgetNotices(except: ofNotices.map(\.name))
        notices = NoticeService(
            notices: ofNotices,
            surroundings: NoticeSurroundings(
                host: configuration.host, ledger: ledger, name: registry.name(of:)),
            logger: logger
        ) { notice, condition in
            if let condition {
                health.raise(condition)
            } else {
                health.clear(.noticeUndelivered, subject: .notice(notice))
            }
        }
        let settingsOfWorkers = WorkerSettings(
            program: WorkerProgram.path(environment: environment),
            homes: configuration.state.directory + "/cameras", drivers: configuration.drivers.allowed,
            photos: settings.incomingFolder)
        try DurableFile.createFolder(settingsOfWorkers.homes)
        guid = try ServiceGUID.installed(in: configuration.state.directory)
        let workers = WorkerStart(
            settings: settingsOfWorkers, drivers: try settingsOfWorkers.prepareDrivers(), guid: guid)
        knowledge = try KnowledgeBase.bundled()
        bus = Self.bus(logger)
        sessionPresets = SessionPresets(
            store: GiveBackStore(path: configuration.state.directory + "/give-back.json"),
            registry: registry, changer: changer, logger: logger)
        intervals = IntervalPlans(
            store: IntervalStore(folder: configuration.state.directory + "/intervals"), logger: logger)
        let inForce = self.configuration
        groupFrames = GroupFrames(ledger: ledger, health: health, logger: logger) { group in
            inForce.now.groups.first { $0.name == group.rawValue }?.settle
        }
        connected = ConnectedCameras(
            engine: engine, intervals: intervals, presets: presets, sessions: sessionPresets,
            changer: changer, ledger: ledger,
            health: health, logger: logger)
        fleet = CameraFleet(
            options: .init(configuration), storage: .init(ledger), knowledge: knowledge, workers: workers,
            bus: bus, owner: connected, registry: registry, health: health, logger: logger)
    }

    /// The computer's USB; a computer without one has cameras on the network.
    private static func bus(_ logger: Logger) -> USBBus? {
        do throws(USBError) { return try USBBus() } catch {
            logger.notice("no USB here", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

extension CameraFleet.Options {
    init(_ configuration: Configuration) {
        let settings = ConfiguredCamera(configuration.capture)
        self.init(
            configured: configuration.cameras.map { ConfiguredCamera($0, configuration.capture) },
            newcomer: configuration.usb.detects ? settings : nil, kept: settings,
            allowances: DeviceAllowances(configuration), readsOnEachBus: configuration.usb.readsOnEachBus)
    }
}

extension WebService.Options {
    /// `nil` where no page is served.
    init?(_ configuration: Configuration) {
        let web = configuration.web
        guard let address = web.listen else { return nil }
        let files = web.certificate.flatMap { certificate in
            web.key.map { (certificate: certificate, key: $0) }
        }
        self.init(
            host: address.host, port: address.port, isTLS: web.tls == "on", files: files,
            folder: configuration.state.directory + "/web", names: web.names, mayControl: web.mayControl)
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
            load: { try await ledger.roster() }, keep: { try await ledger.keep($0) },
            forget: { try await ledger.forget(camera: $0) })
    }
}
