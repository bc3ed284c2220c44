import Cameras
import CaptureEngine
import FleetLink
import FrameFastModel
import Logging
import Notices
import ServiceLifecycle
import UploadEngine

/// Tells hooks, journal and event streams what happens in the rooms, in order.
struct Announcer: Service {
    private let events: DomainEvents
    private let hooks: HookFeed
    private let notices: NoticeService
    private let log: EventLog
    private let stream: EventPublisher
    private let uploads: UploadService
    private let intervals: IntervalPlans
    private let groupShots: GroupShots
    private let groupFrames: GroupFrames
    private let registry: CameraRegistry
    /// `nil` where this computer is in no fleet.
    private let fleet: FleetLink?
    private let logger: Logger

    init(_ parts: DaemonParts, fleet: FleetLink?, logger: Logger) {
        self.fleet = fleet
        events = parts.events
        hooks = parts.hookFeed
        notices = parts.notices
        log = parts.log
        stream = EventPublisher(parts)
        uploads = parts.uploads
        intervals = parts.intervals
        groupShots = parts.groupShots
        groupFrames = parts.groupFrames
        registry = parts.registry
        self.logger = logger
    }

    /// Tells until the rooms have stopped, and what they told at their end.
    func run() async {
        await withGracefulShutdownHandler {
            for await event in events.stream {
                await tell(event)
                let dropped = events.takeDropped()
                guard dropped > 0 else { continue }
                logger.warning("events were left out: the ledger was slow", metadata: ["count": "\(dropped)"])
                stream.resync()
            }
        } onGracefulShutdown: {
            events.finish()
        }
    }

    private func tell(_ event: DomainEvent) async {
        fleet?.changed()
        switch event {
        case .camera(let status):
            intervals.camera(status)
            groupShots.camera(status)
            hooks.camera(status)
            await stream.camera(status)
        case .conditions(let conditions):
            hooks.conditions(conditions)
            notices.offer(conditions)
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
        await groupFrames.capture(record)
        guard record.state == .saved else { return await stream.capture(record.id) }
        stream.remember(saved: record)
        uploads.captureSaved()
        if record.object.isProtected == true { uploads.captureProtected() }
        // A hook may hand the file on: not before its bytes are sure.
        if record.verified != .awaitingReread { hooks.saved(record) }
        await stream.capture(record.id)
    }
}
