import APIClient
import Foundation
import FrameFastAPI
import Glibc
import Repository
import TestRig
import Testing

/// Tests of the whole program against the product's OpenAPI document. openapi-spec-validator reads the
/// document. schemathesis generates valid and invalid requests for every endpoint, and accepts only
/// documented responses.
@Suite(
    .serialized, .programs(4),
    .nightly("sends hundreds of requests; DocumentTests and APIGuideTests cover the document"),
    .enabled(
        if: ServerPrograms.has(ServerPrograms.bin.appending(path: "schemathesis")),
        "needs schemathesis (scripts/prepare-test-servers)"))
struct APIConformanceTests {
    /// The seed of the generated requests.
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

    /// Runs the conformance check to its end, and returns its status and output.
    private static func checkConformance(_ rig: DaemonRig, examples: Int, _ more: [String] = []) async throws
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
        return (try await program.waitUntilExit(within: 120), program.output)
    }

    @Test func `a controlling user receives only documented responses`() async throws {
        let folder = try ScratchFolder()
        let (rig, _) = try await Self.rig(folder, photos: 3)
        let (status, said) = try await Self.checkConformance(rig, examples: 12)
        #expect(status == 0, "\(said.suffix(6000))")
        try await rig.status("the photos to be counted") { $0.captures.total == 3 }
        try await rig.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run code as another user"))
    func `a guest receives only documented responses`() async throws {
        let folder = try ScratchFolder()
        chmod(folder.url.path, 0o755)
        let (rig, _) = try await Self.rig(folder, photos: 1)
        chmod(rig.folder.url.path, 0o755)
        let (status, said) = try await Self.checkConformance(rig, examples: 4, [Self.guest])
        #expect(status == 0, "\(said.suffix(6000))")
        try await rig.stop()
    }
}
