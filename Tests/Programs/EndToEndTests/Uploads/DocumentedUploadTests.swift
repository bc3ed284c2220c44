import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

/// Recipes of docs/uploads.md as they stand there, with whole programs.
@Suite(.serialized, .programs(2)) struct DocumentedUploadTests {
    /// A photo as it came to the server; see http_server.py, `/api/assets`.
    private struct Asset: Decodable {
        var fields: [String: String]
        var key: String
        var name: String
        var type: String
        var sha256: String
    }

    /// The table of a destination in the document, line by line, with other words for addresses and paths.
    private static func recipe(_ name: String, _ changes: [(from: String, to: String)]) throws -> [String] {
        let document = try String(contentsOf: Repository.file("docs/uploads.md"), encoding: .utf8)
        let blocks = document.matches(of: /```toml\n([\s\S]*?)```/).map { String($0.1) }
        var block = try #require(blocks.first { $0.contains("name = \"\(name)\"") })
        for change in changes {
            try #require(block.contains(change.from), "\(block)")
            block = block.replacing(change.from, with: change.to)
        }
        return block.split(separator: "\n").map(String.init)
    }

    @Test func `the recipe for Immich sends the file, four fields and the key in its header`() async throws {
        try #require(ServerPrograms.has(ServerPrograms.python), "needs scripts/prepare-test-servers")
        let place = try await UploadPlace(.keyed)
        let table = try Self.recipe(
            "immich",
            [
                ("https://photos.example.com/", "http://127.0.0.1:\(place.port)/"),
                ("/etc/framefast/immich.key", place.scratch.path("secret")),
            ])
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: table)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        let snapshot = try await rig.until("two photos to be delivered") { snapshot -> Bool in
            try snapshot.status.uploads.delivered == 2
        }
        let times = ISO8601DateFormatter()
        for record in try snapshot.records {
            let sum = try #require(record.sha256, "[loss] hash of a photo")
            let file = URL(filePath: "\(place.folder)/\(sum).json")
            let asset = try JSONDecoder().decode(Asset.self, from: Data(contentsOf: file))
            #expect(asset.sha256 == sum, "[loss] content of the photo")
            let captured = times.string(from: try #require(record.capturedAt))
            #expect(
                asset.fields == [
                    "deviceAssetId": sum, "deviceId": "framefast", "fileCreatedAt": captured,
                    "fileModifiedAt": captured,
                ])
            #expect(asset.key == "ff" && asset.type == "image/jpeg", "\(asset)")
            #expect(record.path?.hasSuffix("/\(asset.name)") == true, "\(asset.name)")
        }
        let truth = try camera.truth().map(\.sha256)
        let arrived = try FileManager.default.contentsOfDirectory(atPath: place.folder).sorted()
        #expect(arrived == truth.map { "\($0).json" }.sorted(), "[loss] photos at the server")
        #expect(try await rig.stop() == 0)
    }
}
