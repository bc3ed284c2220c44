import Cameras
import FrameFastConfiguration
import FrameFastModel
import Logging
import Previews
import ServiceLifecycle
import UploadEngine

/// A service that passes the events of the engines to hooks, the journal and event streams, in order.
struct EventDispatcher: Service {
    private let events: DomainEvents
    private let hooks: HookFeed
    private let log: EventLog
    private let stream: EventPublisher
    private let pending: PendingCounts
    private let uploads: UploadService
    private let intervals: IntervalPlans
    private let groupRelease: GroupRelease
    private let previews: PreviewService
    /// Whether browsers can open the web page, which shows thumbnails.
    private let hasPage: Bool
    private let registry: CameraRegistry
    private let logger: Logger

    init(_ parts: DaemonParts, logger: Logger) {
        events = parts.events
        hooks = parts.hookFeed
        log = parts.log
        stream = EventPublisher(parts)
        pending = PendingCounts(ledger: parts.ledger, registry: parts.registry, clock: parts.clock)
        uploads = parts.uploads
        intervals = parts.intervals
        groupRelease = parts.groupRelease
        previews = parts.previews
        hasPage = WebReachability(parts.configuration.now.web).isOn
        registry = parts.registry
        self.logger = logger
    }

    /// Dispatches events until the service stops, including the last events of the engines.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await pending.run() }
            await withGracefulShutdownHandler {
                await dispatchAll()
            } onGracefulShutdown: {
                events.finish()
            }
            group.cancelAll()
        }
    }

    private func dispatchAll() async {
        for await event in events.stream {
            await dispatch(event)
            let dropped = events.takeDroppedCount()
            guard dropped > 0 else { continue }
            logger.warning("events were dropped: the ledger was slow", metadata: ["count": "\(dropped)"])
            uploads.captureEventsDropped()
            stream.resync()
        }
    }

    private func dispatch(_ event: DomainEvent) async {
        switch event {
        case .camera(let status):
            intervals.handle(status)
            groupRelease.handle(status)
            previews.handleTransfer(of: status.id, isRunning: status.transfer != nil)
            hooks.handleCamera(status)
            stream.publishCamera(status)
            pending.update()
        case .conditions(let conditions):
            hooks.handleConditions(conditions)
            log.logConditions(conditions, name: registry.name(of:))
            stream.publishConditions(conditions)
        case .capture(let record): await dispatch(record)
        case .upload(let event):
            hooks.handleUpload(event)
            if case .job(let job, _) = event { log.logUpload(job) }
            await stream.publishUpload(event)
        case .preview(let id): await stream.publishShot(of: id)
        case .networkChanged: uploads.networkChanged()
        }
    }

    private func dispatch(_ record: CaptureRecord) async {
        uploads.captureChanged()
        if record.state == .duplicate {
            uploads.captureSaved()
            return stream.forget(duplicate: record)
        }
        guard record.state == .saved else { return await stream.publishCapture(record.id) }
        stream.remember(saved: record)
        uploads.captureSaved()
        if record.object.isProtected == true { uploads.captureProtected(record) }
        // A hook may copy the file elsewhere. Therefore, hooks run only after the file is verified.
        if record.verified != .awaitingReread { hooks.handleSaved(record) }
        await stream.publishCapture(record.id)
        await stream.publishShot(of: record.id)
        if Self.needsThumbnail(record, hasPage: hasPage) { previews.prepareThumbnail(of: record.id) }
    }

    /// Returns whether a page will show the thumbnail of a saved file.
    static func needsThumbnail(_ record: CaptureRecord, hasPage: Bool) -> Bool {
        hasPage && record.state == .saved && record.clearedAt == nil
            && [.raw, .picture].contains(record.kind)
    }
}
