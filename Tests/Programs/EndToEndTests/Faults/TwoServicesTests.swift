import Foundation
import Glibc
import TestRig
import Testing

/// Tests of two services with the same state or capture folder. The second service reports the conflict and
/// ends.
@Suite(.serialized, .programs(3)) struct TwoServicesTests {
    @Test func `refuses a second service on the same state or capture folder`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let first = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await first.start()

        let second = try first.second(named: "second", state: "state")
        #expect(try await second.waitUntilExit() == 1)
        #expect(second.output.contains("another framefastd uses \(first.folder.path("state"))"))

        let neighbour = try first.second(named: "neighbour", state: "state-2")
        #expect(try await neighbour.waitUntilExit() == 1)
        #expect(neighbour.output.contains(first.captures), "\(neighbour.output)")

        try camera.command("shoot")
        try await first.waitUntilSaved(1)
        let wrong = try await first.untilIntact(camera.truth())
        #expect(wrong == [])
        try await first.kill()

        // A killed service releases its locks.
        let next = try DaemonRig(cameras: [("studio-a", camera.address)], captures: first.captures)
        try await next.start()
        #expect(try await next.stop() == 0)
    }
}

extension DaemonRig {
    /// Starts a second service with the configuration of the rig's service.
    fileprivate func second(named name: String, state: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.path("framefastd"),
            [
                "--config", folder.path("framefast.toml"), "--state-dir", folder.path(state), "--socket",
                folder.path("\(name).sock"),
            ], log: folder.url.appending(path: "\(name).log"))
    }
}
