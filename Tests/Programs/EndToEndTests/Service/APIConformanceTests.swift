import APIClient
import Foundation
import FrameFastAPI
import Glibc
import Repository
import TestRig
import Testing

/// The whole program against its own document: read by openapi-spec-validator, and asked by schemathesis, which makes up
/// good and bad requests for every endpoint and knows no answer but the documented ones.
@Suite(
    .serialized,
    .enabled(
        if: ServerPrograms.has(ServerPrograms.bin.appending(path: "schemathesis")),
        "needs schemathesis (scripts/prepare-test-servers)"))
struct APIConformanceTests {
    /// Repeats what is made up.
    private static let seed = "20251121"
    private static let guest = "12345"

    private static func rig(_ folder: ScratchFolder, photos: Int) async throws -> (DaemonRig, Simulator) {
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"", "[api]", "public_status = true",
            ])
        try await rig.start()
        _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
        try camera.command("shoot \(photos)")
        try await rig.status("the photos to be delivered") { $0.uploads.delivered == photos }
        return (rig, camera)
    }

    /// Runs it to its end, and gives what it said.
    private static func conform(_ rig: DaemonRig, examples: Int, _ more: [String] = []) async throws
        -> (status: Int32, said: String)
    {
        let folder = try ScratchFolder()
        let program = try RunningProgram(
            ServerPrograms.python,
            [
                Repository.file("Tests/Rig/APIConformance/conform.py").path, rig.socket, folder.url.path,
                seed,
                String(examples),
            ] + more, log: folder.url.appending(path: "log"))
        return (try await program.ended(within: 300), program.output)
    }

    @Test func `whoever controls the service gets no answer that is not in the document`() async throws {
        let folder = try ScratchFolder()
        let (rig, _) = try await Self.rig(folder, photos: 3)
        let (status, said) = try await Self.conform(rig, examples: 12)
        #expect(status == 0, "\(said.suffix(6000))")
        #expect(try rig.status().captures.total == 3)
        try await rig.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `a guest gets no answer that is not in the document`() async throws {
        let folder = try ScratchFolder()
        chmod(folder.url.path, 0o755)
        let (rig, _) = try await Self.rig(folder, photos: 1)
        chmod(rig.folder.url.path, 0o755)
        let (status, said) = try await Self.conform(rig, examples: 4, [Self.guest])
        #expect(status == 0, "\(said.suffix(6000))")
        try await rig.stop()
    }
}
