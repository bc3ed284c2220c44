import Cameras
import CaptureEngine
import FrameFastModel
import Logging
import ServiceLifecycle
import UploadEngine

/// Tells hooks, journal and event streams what happens in the rooms, in order.
struct Announcer: Service {
    private let events: DomainEvents
    private let hooks: HookFeed
    private let log: EventLog
    private let stream: EventPublisher
    private let pending: PendingCounts
    private let uploads: UploadService
    private let intervals: IntervalPlans
    private let groupRelease: GroupRelease
    private let registry: CameraRegistry
    private let logger: Logger

    init(_ parts: DaemonParts, logger: Logger) {
        events = parts.events
        hooks = parts.hookFeed
        log = parts.log
        stream = EventPublisher(parts)
        pending = PendingCounts(ledger: parts.ledger, registry: parts.registry)
        uploads = parts.uploads
        intervals = parts.intervals
        groupRelease = parts.groupRelease
        registry = parts.registry
        self.logger = logger
    }

    /// Tells until the rooms have stopped, and what they told at their end.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await pending.run() }
            await withGracefulShutdownHandler {
                await tellAll()
            } onGracefulShutdown: {
                events.finish()
            }
            group.cancelAll()
        }
    }

    private func tellAll() async {
        for await event in events.stream {
            await tell(event)
            let dropped = events.takeDropped()
            guard dropped > 0 else { continue }
            logger.warning("events were left out: the ledger was slow", metadata: ["count": "\(dropped)"])
            stream.resync()
        }
    }

    private func tell(_ event: DomainEvent) async {
        switch event {
        case .camera(let status):
            intervals.camera(status)
            groupRelease.handle(status)
            hooks.camera(status)
            stream.camera(status)
            pending.update()
        case .conditions(let conditions):
            hooks.conditions(conditions)
            log.conditions(conditions, name: registry.name(of:))
            stream.conditions(conditions)
        case .capture(let record): await tell(record)
        case .upload(let event):
            hooks.upload(event)
            if case .job(let job) = event { log.upload(job) }
            await stream.upload(event)
        case .networkChanged: uploads.networkChanged()
        }
    }

    private func tell(_ record: CaptureRecord) async {
        uploads.photoMoved()
        guard record.state == .saved else { return await stream.capture(record.id) }
        stream.remember(saved: record)
        uploads.captureSaved()
        if record.object.isProtected == true { uploads.captureProtected() }
        // A hook may hand the file on: not before its bytes are sure.
        if record.verified != .awaitingReread { hooks.saved(record) }
        await stream.capture(record.id)
    }
}
