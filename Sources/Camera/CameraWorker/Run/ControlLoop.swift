import FoundationEssentials
import FrameFastModel
import GPhoto2
import Glibc
import SystemIO
import WorkerProtocol

/// The control thread's loop. The loop reads the daemon's commands. It reports the driver thread's activity
/// at regular intervals, even while the driver thread hangs. It calls no function of libgphoto2.
final class ControlLoop: Sendable {
    private let daemon: DaemonLink
    private let queue: CommandQueue
    private let activity: DriverActivity
    private let tap: PacketTap
    private let process: ProcessShutdown

    init(
        daemon: DaemonLink, queue: CommandQueue, activity: DriverActivity, tap: PacketTap,
        process: ProcessShutdown
    ) {
        self.process = process
        self.daemon = daemon
        self.queue = queue
        self.activity = activity
        self.tap = tap
    }

    /// Runs until the process ends.
    func run() {
        var buffer = Data()
        var due = Instant.now + .milliseconds(HangDetection.busyHeartbeatMs)
        while true {
            let now = Instant.now
            if now >= due {
                let heartbeat = heartbeat()
                daemon.send(.heartbeat(heartbeat))
                let intervalMs =
                    heartbeat.call == nil ? HangDetection.idleHeartbeatMs : HangDetection.busyHeartbeatMs
                due = now + .milliseconds(intervalMs)
            }
            var entry = pollfd(fd: daemon.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, now.delay(until: due).pollTimeout) > 0 else { continue }
            guard let commands = daemon.receive(into: &buffer) else { process.handleDaemonExit(queue) }
            for command in commands where !queue.push(command) {
                guard let id = command.id else { continue }
                let failure = WorkerFailure(
                    kind: .busy, during: "queue", text: "too many commands are pending")
                daemon.send(.failed(id: id, failure))
            }
        }
    }

    private func heartbeat() -> WorkerHeartbeat {
        let current = activity.current
        // Reads the current call first, then the time of the last packet. A packet that arrives in between
        // belongs to this call or a later call, never to an earlier one.
        let lastPacket = tap.lastPacketNanoseconds
        let now = SystemTime.monotonicNs
        let runningMs = current.map { now > $0.since ? Int((now - $0.since) / 1_000_000) : 0 } ?? 0
        let silentMs = HangDetection.silentMs(callBegan: current?.since, lastPacket: lastPacket, now: now)
        return WorkerHeartbeat(
            call: current?.call.name, runningMs: runningMs,
            silentMs: tap.isOff && current != nil
                ? HangDetection.silentMsWithoutPackets(runningMs: runningMs, sinceDataMs: silentMs)
                : silentMs)
    }
}
