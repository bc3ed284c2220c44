import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A session that is sealed and verified by the whole programs.
@Suite(
    .serialized,
    .enabled(if: ServerPrograms.has(ServerPrograms.manifestTool), "run scripts/prepare-test-servers first"))
struct ManifestTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func run(_ arguments: [String], _ rig: DaemonRig) async throws -> (status: Int32, output: String)
    {
        try await RunningProgram.run(
            Programs.path("framefast"), ["--socket", rig.socket, "--plain"] + arguments, in: folder)
    }

    private func tool(_ root: String) async throws -> Int32 {
        try await RunningProgram.run(ServerPrograms.manifestTool, ["verify", root], in: folder).status
    }

    @Test func `a session is sealed when it stops, and what happens to its photos is found`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: ["[manifest]", "asc_mhl = true", "author = \"Kim Berg\""],
            environment: ["TZ": "Asia/Tokyo"])
        try await rig.start()
        let name = "Größe & <Co> \"1\""
        _ = try rig.client.call(\.sessions.start, .init(name: name))
        try camera.command("shoot 2")
        _ = try await rig.saved(2)
        let photo = try #require(try rig.records().first?.path)
        // SESSION/DATE/NAME
        let root = URL(filePath: photo).deletingLastPathComponent().deletingLastPathComponent().path
        let chain = root + "/ascmhl/ascmhl_chain.xml"
        _ = try rig.client.call(\.sessions.stop)
        try await eventually("the chain") { FileManager.default.fileExists(atPath: chain) ? () : nil }
        #expect(try await tool(root) == 0)

        let intact = try await run(["verify"], rig)
        #expect(intact.status == 0 && intact.output.contains("2 files verified"), "\(intact.output)")
        #expect(try await tool(root) == 0)
        let again = try await run(["session", "seal", name], rig)
        #expect(again.status == 0 && again.output.contains("nothing new to seal"), "\(again.output)")

        var bytes = try Data(contentsOf: URL(filePath: photo))
        bytes[bytes.endIndex - 1] ^= 1
        try bytes.write(to: URL(filePath: photo))
        let changed = try await run(["verify", name], rig)
        #expect(changed.status == 11 && changed.output.contains("changed: "), "\(changed.output)")
        #expect(try await tool(root) == 11)

        try FileManager.default.removeItem(atPath: chain)
        #expect(try await run(["verify"], rig).status == 32)
        #expect(try await tool(root) == 32)
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [])
    }
}
