import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import Synchronization
import UploadEngine

/// Tells the event stream what happens in the rooms, in the words of the wire.
final class Announcer: Sendable {
    private let hub: EventHub
    private let log: EventLog
    private let control = Mutex<DaemonControl?>(nil)

    init(hub: EventHub, log: EventLog) {
        self.hub = hub
        self.log = log
    }

    /// Events are sent from now on.
    func begin(_ control: DaemonControl) { self.control.withLock { $0 = control } }

    func conditions(_ conditions: [Condition]) {
        let control = control.withLock { $0 }
        control?.hooks.conditions(conditions)
        let name = { (id: String) in control?.registry.camera(id)?.name ?? id }
        log.conditions(conditions, name: name)
        hub.publish(.conditions(conditions.map { ConditionReply($0, cameraName: name) }))
    }

    func camera(_ status: CameraStatus) {
        guard let control = control.withLock({ $0 }) else { return }
        control.hooks.camera(status)
        hub.publish(.camera(control.reply(status)))
    }

    func capture(_ record: CaptureRecord) {
        guard let control = control.withLock({ $0 }) else { return }
        if record.state == .saved {
            control.remember(saved: record)
            control.uploads.captureSaved()
            if record.object.isProtected == true { control.uploads.captureProtected() }
            // A hook may hand the file on: not before its bytes are sure.
            if record.verified != .awaitingReread { control.hooks.saved(record) }
        }
        hub.publish(.capture(control.reply(record)))
    }

    func networkChanged() { control.withLock({ $0 })?.uploads.networkChanged() }

    func upload(_ event: UploadEvent) {
        guard let control = control.withLock({ $0 }) else { return }
        control.hooks.upload(event)
        switch event {
        case .job(let job), .progress(let job), .dropped(let job):
            if case .job = event { log.upload(job) }
            hub.publish(.upload(control.reply(job, nil)))
        case .figures(let figures):
            control.uploadFigures.withLock { $0 = UploadFiguresReply(figures) }
            for figure in figures { hub.publish(.destination(control.reply(figure))) }
        case .photosCleared(let photos):
            for photo in photos { hub.publish(.capture(control.reply(photo))) }
        case .standing: break
        case .raised(let condition): control.health.raise(condition)
        case .cleared(let kind, let subject): control.health.clear(kind, subject: subject)
        }
    }
}
