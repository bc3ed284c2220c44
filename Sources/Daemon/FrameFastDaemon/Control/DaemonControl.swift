import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI

/// The API's handlers, one for each resource.
struct DaemonControl: ControlSurface {
    let service: ServiceHandler
    let cameras: CameraHandler
    let shutter: ShutterHandler
    let liveView: LiveViewHandler
    let operations: OperationHandler
    let intervals: IntervalHandler
    let groups: GroupHandler
    let settings: SettingsHandler
    let presets: PresetHandler
    let clocks: ClockHandler
    let discovery: DiscoveryHandler
    let captures: CaptureHandler
    let shots: ShotHandler
    let shotPictures: ShotPictureHandler
    let sessions: SessionHandler
    let templates: TemplateHandler
    let destinations: DestinationHandler
    let uploads: UploadHandler
    let mode: ModeHandler
    let storage: StorageHandler
    let diagnosis: DiagnosisHandler
    let web: WebHandler
    private let collector: MetricsHandler

    private var handlers: [any EndpointHandler] {
        [
            service, cameras, shutter, settings, presets, clocks, liveView, operations, intervals, groups,
            discovery, captures, shots, shotPictures, sessions, templates, destinations, uploads, mode,
            storage, diagnosis, web,
        ]
    }

    /// Creates the handlers, each with only the parts that it uses.
    init(_ parts: DaemonParts) {
        let clock = parts.clock
        let lookup = CameraLookup(registry: parts.registry, ledger: parts.ledger)
        cameras = CameraHandler(
            registry: parts.registry, ledger: parts.ledger, lookup: lookup, fleet: parts.fleet,
            engine: parts.engine, newest: parts.newest, intervals: parts.intervals)
        shutter = ShutterHandler(registry: parts.registry, lookup: lookup)
        let groupLookup = GroupLookup(configuration: parts.configuration, cameras: lookup)
        operations = OperationHandler(groups: groupLookup, intervals: parts.intervals)
        intervals = IntervalHandler(groups: groupLookup, intervals: parts.intervals)
        groups = GroupHandler(groups: groupLookup, release: parts.groupRelease, clock: clock)
        liveView = LiveViewHandler(lookup: lookup, clock: clock)
        settings = SettingsHandler(lookup: lookup, changer: parts.changer)
        clocks = ClockHandler(registry: parts.registry, lookup: lookup)
        presets = PresetHandler(
            store: parts.presets, settings: settings, lookup: lookup, conditionBoard: parts.conditionBoard,
            clock: clock)
        discovery = DiscoveryHandler(
            registry: parts.registry, fleet: parts.fleet, knowledge: parts.knowledge,
            search: CameraSearch(guid: parts.guid, clock: clock), clock: clock)
        captures = CaptureHandler(
            ledger: parts.ledger, lookup: lookup, engine: parts.engine, verify: parts.settings.verify,
            clock: clock)
        shots = ShotHandler(
            ledger: parts.ledger, naming: parts.engine.naming, uploads: parts.uploads, hub: parts.hub,
            clock: clock)
        shotPictures = ShotPictureHandler(shots: shots, previews: parts.previews)
        sessions = SessionHandler(
            ledger: parts.ledger, engine: parts.engine, uploads: parts.uploads, hooks: parts.hookFeed,
            hub: parts.hub, store: parts.presets, presets: parts.sessionPresets,
            sleepInhibitor: parts.sleepInhibitor, web: parts.web, clock: clock)
        templates = TemplateHandler(
            registry: parts.registry, ledger: parts.ledger, engine: parts.engine, clock: clock)
        destinations = DestinationHandler(
            uploads: parts.uploads, replies: parts.destinationReplies, clock: clock)
        uploads = UploadHandler(
            uploads: parts.uploads, ledger: parts.ledger, lookup: lookup, naming: parts.engine.naming)
        mode = ModeHandler(
            ledger: parts.ledger, uploads: parts.uploads, sessions: sessions, hub: parts.hub)
        storage = StorageHandler(
            ledger: parts.ledger, uploads: parts.uploads, engine: parts.engine,
            directory: parts.settings.directory, configuration: parts.configuration, clock: clock)
        let conditions = ConditionList(conditionBoard: parts.conditionBoard, registry: parts.registry)
        diagnosis = DiagnosisHandler(
            configuration: parts.configuration, knowledge: parts.knowledge, bus: parts.bus,
            registry: parts.registry, conditions: conditions, clock: clock)
        web = WebHandler(
            web: parts.web, ledger: parts.ledger, configuration: parts.configuration, clock: clock)
        service = ServiceHandler(
            cameras: cameras, captures: captures, sessions: sessions, destinations: destinations,
            storage: storage, conditions: conditions, uploadStatistics: parts.uploadStatistics,
            hub: parts.hub, clock: clock)
        collector = MetricsHandler(
            service: service, uploads: parts.uploads, ledger: parts.ledger, registry: parts.registry,
            saveStatistics: parts.engine.saveStatistics, changer: parts.changer,
            frames: liveView.frameCounts, clock: clock)
    }

    func attachHandlers(to table: inout EndpointTable) {
        for handler in handlers { handler.attachHandlers(to: &table) }
    }

    func status() async throws(ControlError) -> StatusReply { try await service.status() }

    func metrics() async throws(ControlError) -> MetricsText { try await collector.metrics() }
}
