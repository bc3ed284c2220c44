import APIServer
import Cameras
import CaptureEngine
import FleetLink
import FrameFastAPI

/// What the socket may ask of the service: which handler answers for which resource.
struct DaemonControl: ControlSurface {
    let service: ServiceHandler
    let cameras: CameraHandler
    let shutter: ShutterHandler
    let liveView: LiveViewHandler
    let operations: OperationHandler
    let intervals: IntervalHandler
    let groups: GroupHandler
    let fleet: FleetHandler
    let settings: SettingsHandler
    let presets: PresetHandler
    let clocks: ClockHandler
    let discovery: DiscoveryHandler
    let captures: CaptureHandler
    let history: HistoryHandler
    let shots: ShotHandler
    let web: WebHandler
    let sessions: SessionHandler
    let fields: FieldHandler
    let manifests: ManifestHandler
    let templates: TemplateHandler
    let destinations: DestinationHandler
    let uploads: UploadHandler
    let notices: NoticeHandler
    let mode: ModeHandler
    let storage: StorageHandler
    let diagnosis: DiagnosisHandler
    private let collector: MetricsHandler

    private var handlers: [any EndpointHandler] {
        [
            service, cameras, shutter, settings, presets, clocks, liveView, operations, intervals, groups,
            fleet, discovery,
            captures, history, shots, web, sessions, fields, manifests, templates, destinations, uploads,
            notices,
            mode,
            storage,
            diagnosis,
        ]
    }

    /// Hands each handler its parts.
    init(_ parts: DaemonParts) {
        let lookup = CameraLookup(registry: parts.registry, ledger: parts.ledger)
        cameras = CameraHandler(
            registry: parts.registry, ledger: parts.ledger, lookup: lookup, fleet: parts.fleet,
            engine: parts.engine, newest: parts.newest)
        shutter = ShutterHandler(registry: parts.registry, lookup: lookup)
        let groupLookup = GroupLookup(configuration: parts.configuration, cameras: lookup)
        operations = OperationHandler(groups: groupLookup, intervals: parts.intervals)
        intervals = IntervalHandler(groups: groupLookup, intervals: parts.intervals)
        groups = GroupHandler(
            groups: groupLookup, shots: parts.groupShots,
            frames: parts.groupFrames, ledger: parts.ledger, engine: parts.engine)
        liveView = LiveViewHandler(registry: parts.registry, lookup: lookup)
        settings = SettingsHandler(lookup: lookup, changer: parts.changer)
        clocks = ClockHandler(registry: parts.registry, lookup: lookup)
        presets = PresetHandler(store: parts.presets, settings: settings, lookup: lookup)
        discovery = DiscoveryHandler(
            registry: parts.registry, fleet: parts.fleet, knowledge: parts.knowledge,
            search: CameraSearch(guid: parts.guid))
        captures = CaptureHandler(
            ledger: parts.ledger, lookup: lookup, engine: parts.engine, verify: parts.settings.verify)
        history = HistoryHandler(ledger: parts.ledger, captures: captures)
        shots = ShotHandler(
            ledger: parts.ledger, lookup: lookup, uploads: parts.uploads, sidecars: parts.engine.sidecars,
            pictures: parts.pictures, hub: parts.hub)
        web = WebHandler(ledger: parts.ledger, desk: parts.desk, options: parts.web)
        fields = FieldHandler(ledger: parts.ledger, lookup: lookup, hub: parts.hub)
        sessions = SessionHandler(
            ledger: parts.ledger, engine: parts.engine, uploads: parts.uploads, hooks: parts.hookFeed,
            hub: parts.hub, store: parts.presets, presets: parts.sessionPresets,
            manifests: parts.manifests, fields: fields)
        manifests = ManifestHandler(manifests: parts.manifests, ledger: parts.ledger)
        templates = TemplateHandler(
            registry: parts.registry, ledger: parts.ledger, engine: parts.engine,
            host: parts.configuration.now.host)
        destinations = DestinationHandler(uploads: parts.uploads, replies: parts.destinationReplies)
        uploads = UploadHandler(
            uploads: parts.uploads, ledger: parts.ledger, lookup: lookup, naming: parts.engine.naming)
        notices = NoticeHandler(notices: parts.notices)
        mode = ModeHandler(
            ledger: parts.ledger, uploads: parts.uploads, sessions: sessions, hub: parts.hub)
        storage = StorageHandler(
            ledger: parts.ledger, uploads: parts.uploads, engine: parts.engine,
            directory: parts.settings.directory, configuration: parts.configuration)
        diagnosis = DiagnosisHandler(
            configuration: parts.configuration, knowledge: parts.knowledge, bus: parts.bus,
            registry: parts.registry, health: parts.health)
        service = ServiceHandler(
            cameras: cameras, captures: captures, sessions: sessions, destinations: destinations,
            storage: storage, health: parts.health, registry: parts.registry,
            uploadStatistics: parts.uploadStatistics, hub: parts.hub)
        let surroundings = FleetSurroundings(
            service: service, groups: groups, sessions: sessions, mode: mode, uploads: uploads,
            configuration: parts.configuration, ledger: parts.ledger, health: parts.health,
            boot: parts.fleetBoot)
        fleet = FleetHandler(
            link: parts.fleetOptions.map { FleetLink($0, surroundings.surroundings, logger: parts.logger) })
        collector = MetricsHandler(
            service: service, uploads: parts.uploads, ledger: parts.ledger, registry: parts.registry,
            tally: parts.engine.tally, changer: parts.changer, frames: liveView.tally)
    }

    func attach(to table: inout EndpointTable) {
        for handler in handlers { handler.attach(to: &table) }
    }

    func status() async throws(ControlError) -> StatusReply { try await service.status() }

    func metrics() async throws(ControlError) -> MetricsText { try await collector.metrics() }
}
