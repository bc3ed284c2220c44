import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import Logging
import ServiceLifecycle
import Store
import Synchronization
import UploadEngine

/// Tells hooks, journal and event streams what happens in the rooms, in order and in the words of the wire.
struct Announcer: Service {
    let events: DomainEvents
    let control: DaemonControl
    let log: EventLog
    let logger: Logger

    /// Captures that are told of one by one when they change together: a page and a half of `watch`.
    private static let togetherMax = 300

    /// Tells until the rooms have stopped, and what they told at their end.
    func run() async {
        await withGracefulShutdownHandler {
            for await event in events.stream {
                await tell(event)
                let dropped = events.takeDropped()
                guard dropped > 0 else { continue }
                logger.warning("events were left out: the ledger was slow", metadata: ["count": "\(dropped)"])
                control.hub.resync()
            }
        } onGracefulShutdown: {
            events.finish()
        }
    }

    private func tell(_ event: DomainEvent) async {
        switch event {
        case .camera(let status):
            control.hooks.camera(status)
            control.hub.publish(.camera(await control.replyWithPending(status)))
        case .conditions(let conditions):
            control.hooks.conditions(conditions)
            log.conditions(conditions, name: control.cameraName)
            control.hub.publish(
                .conditions(conditions.map { ConditionReply($0, cameraName: control.cameraName) }))
        case .capture(let record): await tell(record)
        case .upload(let event): await tell(event)
        case .networkChanged: control.uploads.networkChanged()
        }
    }

    private func tell(_ record: CaptureRecord) async {
        if record.state == .saved {
            control.remember(saved: record)
            control.uploads.captureSaved()
            if record.object.isProtected == true { control.uploads.captureProtected() }
            // A hook may hand the file on: not before its bytes are sure.
            if record.verified != .awaitingReread { control.hooks.saved(record) }
        }
        await publish(record.id)
    }

    /// Publishes a capture and those of its shot: what happens to one may be what all of them wait for.
    private func publish(_ capture: CaptureID) async {
        for capture in (try? await control.ledger.shot(of: capture)) ?? [] {
            control.hub.publish(.capture(control.reply(capture)))
        }
    }

    private func tell(_ event: UploadEvent) async {
        control.hooks.upload(event)
        switch event {
        case .job(let job), .progress(let job), .dropped(let job):
            if case .job = event { log.upload(job) }
            let record = try? await control.ledger.capture(id: job.captureID)
            control.hub.publish(.upload(control.reply(job, record)))
            if case .progress = event { return }
            await publish(job.captureID)
        case .statistics(let statistics):
            control.uploadStatistics.withLock { $0 = UploadStatisticsReply(statistics) }
            for figure in statistics { control.hub.publish(.destination(control.reply(figure))) }
        case .changed(let captures):
            // Whoever follows is quicker asking anew than hearing of each photo of a long queue.
            guard captures.count <= Self.togetherMax else { return control.hub.resync() }
            for capture in captures { await publish(capture) }
        case .photosCleared(let photos):
            for photo in photos { await publish(photo.id) }
        case .standing, .raised, .cleared: break
        }
    }
}
