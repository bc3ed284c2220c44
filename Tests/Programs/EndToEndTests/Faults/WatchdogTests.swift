import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of the notifications for systemd's watchdog (`WATCHDOG=1`) that the whole program sends to a real
/// notify socket.
@Suite(.serialized, .programs(2)) struct WatchdogTests {
    private static func notifications(_ inbox: DatagramInbox) -> Int {
        inbox.texts().count { $0 == "WATCHDOG=1" }
    }

    @Test func `notifies systemd of the start, repeatedly for the watchdog, and of the stop`() async throws {
        let folder = try ScratchFolder()
        let inbox = try DatagramInbox(folder.path("notify"))
        let rig = try DaemonRig(
            cameras: [], environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "400000"])
        try await rig.start()
        try await eventually("ten notifications, and the notification of the start") {
            Self.notifications(inbox) >= 10 && inbox.texts().contains("READY=1") ? () : nil
        }
        #expect(try await rig.stop() == 0)
        try await eventually("the notification of the stop") {
            inbox.texts().contains("STOPPING=1") ? () : nil
        }
    }

    @Test(
        .programs(4), .nightly("measures a second without a notification"),
        .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
    func `stops notifying the watchdog when the ledger hangs in a write`() async throws {
        let folder = try ScratchFolder()
        let inbox = try DatagramInbox(folder.path("notify"))
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "200000"])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try await eventually("notifications") { Self.notifications(inbox) >= 3 ? () : nil }
        let daemon = try #require(rig.program)
        // Every sync of the ledger takes ten minutes from now on.
        let ledger = folderOf(rig) + "/ledger.sqlite-wal"
        let strace = try await Strace(
            daemon.pid, calls: "fsync,fdatasync", injection: "delay_enter=600s", paths: [ledger], in: folder)
        try camera.command("shoot")
        try await eventually("the ledger to hang") { strace.calls.isEmpty ? nil : () }
        // A round of `StatusReporter` that was running at that time may send one more notification.
        var before = Self.notifications(inbox)
        try await eventually("a while without a notification") {
            try await Task.sleep(for: .seconds(1))
            let now = Self.notifications(inbox)
            defer { before = now }
            return now == before ? () : nil
        }
        #expect(try rig.client.call(\.service.version).value.version.isEmpty == false)
        // The kernel does not end a program while strace delays its call.
        try await strace.detach()
        try await rig.kill()
    }

    private func folderOf(_ rig: DaemonRig) -> String { rig.folder.path("state") }
}
