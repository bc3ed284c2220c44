import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of the sleep lock that keeps the computer awake during a session.
@Suite(
    .serialized, .programs(2),
    .enabled(
        if: PrivateLogind.obstacle == nil,
        "a private logind needs dbus-daemon, systemd-inhibit and python3-gi"))
struct KeepAwakeTests {
    private static let held = "held sleep, FrameFast, A photo session is running, block"

    /// Waits for this number of lock events, and returns them.
    private func waitForEvents(_ count: Int, _ logind: PrivateLogind) async throws -> [String] {
        try await eventually("\(count) events of locks, not \(logind.events)") {
            let events = logind.events
            return events.count >= count ? events : nil
        }
    }

    @Test func `holds a sleep lock until the session or the service ends`() async throws {
        let logind = try await PrivateLogind(try ScratchFolder())
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        #expect(try await waitForEvents(1, logind) == [Self.held])
        // The next session takes over the lock of the previous session.
        _ = try rig.client.call(\.sessions.start, .init(name: "Party"))
        _ = try rig.client.call(\.sessions.stop)
        #expect(try await waitForEvents(2, logind) == [Self.held, "released"])

        _ = try rig.client.call(\.sessions.start, .init(name: "Night"))
        #expect(try await waitForEvents(3, logind).last == Self.held)
        try await rig.kill()
        #expect(try await waitForEvents(4, logind).last == "released")
        // The session continues after the restart, so the service requests the lock again.
        try await rig.start()
        #expect(try await waitForEvents(5, logind).last == Self.held)
        // Signals all processes at the same time, like systemd when it stops a service.
        rig.program?.signalAll(SIGTERM)
        #expect(try await rig.program?.waitUntilExit() == 0)
        #expect(try await waitForEvents(6, logind).last == "released")
        #expect(!rig.log.contains("may go to sleep"))
        try await rig.stop()
    }

    @Test func `releases the sleep lock when keep_awake is turned off during a session`() async throws {
        let logind = try await PrivateLogind(try ScratchFolder())
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        #expect(try await waitForEvents(1, logind) == [Self.held])
        try rig.configure(capture: ["keep_awake = false"])
        rig.program?.signal(SIGHUP)
        #expect(try await waitForEvents(2, logind) == [Self.held, "released"])
        #expect(try await rig.stop() == 0)
    }

    @Test func `logs a refused sleep lock once and retries in the next session`() async throws {
        let logind = try await PrivateLogind(try ScratchFolder())
        try logind.refuseLocks()
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        try await eventually("the refusal in the log: \(rig.log.suffix(500))") {
            rig.log.contains("may go to sleep") ? () : nil
        }
        #expect(rig.log.contains("Access denied"))
        try logind.grantLocks()
        _ = try rig.client.call(\.sessions.stop)
        _ = try rig.client.call(\.sessions.start, .init(name: "Party"))
        #expect(try await waitForEvents(2, logind) == ["refused", Self.held])
        #expect(rig.log.components(separatedBy: "may go to sleep").count == 2)
        #expect(try await rig.stop() == 0)
    }
}
