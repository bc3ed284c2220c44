import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// A session keeps the computer from going to sleep.
@Suite(
    .serialized, .programs(2),
    .enabled(
        if: PrivateLogind.obstacle == nil,
        "a private logind needs dbus-daemon, systemd-inhibit and python3-gi"))
struct KeepAwakeTests {
    private static let held = "held sleep, FrameFast, A photo session is running, block"

    /// Waits until so many things have happened to locks.
    private func events(_ count: Int, _ logind: PrivateLogind) async throws -> [String] {
        try await eventually("\(count) events of locks, not \(logind.events)") {
            let events = logind.events
            return events.count >= count ? events : nil
        }
    }

    @Test func `holds a lock against sleep from the start of a session to its end or the service's`()
        async throws
    {
        let logind = try await PrivateLogind(try ScratchFolder())
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        #expect(try await events(1, logind) == [Self.held])
        // The next session takes over the lock of the one before.
        _ = try rig.client.call(\.sessions.start, .init(name: "Party"))
        _ = try rig.client.call(\.sessions.stop)
        #expect(try await events(2, logind) == [Self.held, "released"])

        _ = try rig.client.call(\.sessions.start, .init(name: "Night"))
        #expect(try await events(3, logind).last == Self.held)
        try await rig.kill()
        #expect(try await events(4, logind).last == "released")
        // The session still runs.
        try await rig.start()
        #expect(try await events(5, logind).last == Self.held)
        // As systemd stops a service: all of its processes at the same time.
        rig.program?.signalAll(SIGTERM)
        #expect(try await rig.program?.ended() == 0)
        #expect(try await events(6, logind).last == "released")
        #expect(!rig.log.contains("may go to sleep"))
    }

    @Test func `releases the lock when keep_awake is turned off during a session`() async throws {
        let logind = try await PrivateLogind(try ScratchFolder())
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        #expect(try await events(1, logind) == [Self.held])
        try rig.configure(capture: ["keep_awake = false"])
        rig.program?.signal(SIGHUP)
        #expect(try await events(2, logind) == [Self.held, "released"])
        #expect(try await rig.stop() == 0)
    }

    @Test func `says once that a lock is refused, and asks again for the next session`() async throws {
        let logind = try await PrivateLogind(try ScratchFolder())
        try logind.refuseLocks()
        let rig = try DaemonRig(cameras: [], environment: logind.environment)
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        try await eventually("the refusal in the log: \(rig.log.suffix(500))") {
            rig.log.contains("may go to sleep") ? () : nil
        }
        #expect(rig.log.contains("Access denied"))
        try logind.giveLocks()
        _ = try rig.client.call(\.sessions.stop)
        _ = try rig.client.call(\.sessions.start, .init(name: "Party"))
        #expect(try await events(2, logind) == ["refused", Self.held])
        #expect(rig.log.components(separatedBy: "may go to sleep").count == 2)
        #expect(try await rig.stop() == 0)
    }
}
