import APIServer
import FrameFastAPI
import FrameFastModel
import Synchronization

/// Tells the event stream what happens in the rooms, in the words of the wire.
final class Announcer: Sendable {
    private let hub: EventHub
    private let control = Mutex<DaemonControl?>(nil)

    init(hub: EventHub) { self.hub = hub }

    /// Events are sent from now on.
    func begin(_ control: DaemonControl) { self.control.withLock { $0 = control } }

    func conditions(_ conditions: [Condition]) {
        hub.publish(.conditions(conditions.map(ConditionReply.init)))
    }

    func camera(_ status: CameraStatus) {
        guard let control = control.withLock({ $0 }) else { return }
        hub.publish(.camera(control.reply(status)))
    }

    func capture(_ record: CaptureRecord) {
        guard let control = control.withLock({ $0 }) else { return }
        if record.state == .saved { control.remember(saved: record) }
        hub.publish(.capture(control.reply(record)))
    }
}
