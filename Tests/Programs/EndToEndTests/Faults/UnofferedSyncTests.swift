import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A file system that does not offer fsync, as FUSE and network file systems may.
@Suite(
    .serialized, .programs(4),
    .enabled(if: Strace.isPossible, "letting system calls fail needs strace and the right to trace"))
struct UnofferedSyncTests {
    @Test(arguments: Tier.rows(["EINVAL", "EOPNOTSUPP"], gate: 1))
    func `photos are saved on a disk without fsync, and one condition says so`(errno: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let daemon = try #require(rig.program?.pid)
        let strace = try await Strace(daemon, calls: "fsync", injection: "error=\(errno)", in: folder)
        try camera.command("shoot 3")
        let saved = try await rig.until("three photos") {
            try $0.status.captures.total >= 3 && $0.isSettled
        }
        #expect(try Set(camera.truth().map(\.sha256)) == Set(saved.files.values), "[loss] photos on disk")
        let status = try await rig.status("the condition") { status in
            status.conditions.contains { $0.code == "sync-not-offered" }
        }
        #expect(status.conditions.count == 1)
        try await strace.detach()
        #expect(try await rig.stop() == 0)
    }
}
