import Foundation
import Glibc
import TestRig
import Testing

/// Two services never work in one place: the second says who is in the way and ends.
@Suite(.serialized, .programs(3)) struct TwoServicesTests {
    @Test func `a second service on the same state or photos is refused, and the first goes on`() async throws
    {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let first = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await first.start()

        let twin = try first.second(named: "twin", state: "state")
        #expect(try await twin.ended() == 1)
        #expect(twin.output.contains("another framefastd uses \(first.folder.path("state"))"))

        let neighbour = try first.second(named: "neighbour", state: "state-2")
        #expect(try await neighbour.ended() == 1)
        #expect(neighbour.output.contains(first.captures), "\(neighbour.output)")

        try camera.command("shoot")
        try await first.saved(1)
        let wrong = try await first.untilIntact(camera.truth())
        #expect(wrong == [])
        try await first.kill()

        // What was killed holds nothing back.
        let heir = try DaemonRig(cameras: [("studio-a", camera.address)], captures: first.captures)
        try await heir.start()
        #expect(try await heir.stop() == 0)
    }
}

extension DaemonRig {
    /// Starts one more service with this one's configuration.
    fileprivate func second(named name: String, state: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.path("framefastd"),
            [
                "--config", folder.path("framefast.toml"), "--state-dir", folder.path(state), "--socket",
                folder.path("\(name).sock"),
            ], log: folder.url.appending(path: "\(name).log"))
    }
}
