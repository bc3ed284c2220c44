import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the recipes of docs/uploads.md, used word for word with whole programs.
@Suite(.serialized, .programs(3)) struct DocumentedUploadTests {
    /// A photo as the server received it; see http_server.py, `/api/assets`.
    private struct Asset: Decodable {
        var fields: [String: String]
        var key: String
        var name: String
        var type: String
        var sha256: String
    }

    /// All recipes except Immich, which has its own test.
    private static let recipes = Recipe.allCases.filter { $0 != .immich }

    /// A service with one ready camera and the destination of a recipe.
    private struct Fixture {
        let server: RecipeServer
        let camera: Simulator
        let rig: DaemonRig
        private let folder: ScratchFolder

        init(_ recipe: Recipe) async throws {
            try #require(recipe.obstacle == nil, "\(recipe.obstacle ?? "")")
            server = try await RecipeServer(recipe)
            folder = try ScratchFolder()
            camera = try await Simulator(folder, ["--size", "100KB"])
            rig = try DaemonRig(cameras: [("studio-a", camera.address)], tables: try server.table())
            let checked = try await rig.checkConfiguration()
            try #require(checked.status == 0, "\(checked.said)")
            try await start()
        }

        func start() async throws {
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        }

        func waitForDeliveries(_ count: Int) async throws -> RigSnapshot {
            try await rig.waitUntil("\(count) photos to be delivered", within: 60) { snapshot -> Bool in
                try snapshot.status.uploads.delivered == count
            }
        }
    }

    @Test func `every documented recipe has a test and a server`() throws {
        let names = try Recipe.documentedNames()
        #expect(names.sorted() == Recipe.allCases.map(\.rawValue).sorted())
        #expect(try Recipe.testedNames().sorted() == names.sorted())
    }

    @Test(arguments: Tier.rows(recipes, gate: [.cloud]))
    func `delivers two intact photos with each documented recipe except Immich`(recipe: Recipe) async throws {
        let fixture = try await Fixture(recipe)
        // The rules of one recipe select photos of this session with four stars.
        _ = try fixture.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        try fixture.camera.command("rating 4")
        try fixture.camera.command("shoot 2")
        let snapshot = try await fixture.waitForDeliveries(2)
        #expect(try snapshot.status.uploads.failed == 0, "[loss] failed uploads")
        let truth = try fixture.camera.truth().map(\.sha256).sorted()
        #expect(try await fixture.server.sums() == truth, "[loss] wrong photos at the server")
        #expect(try await fixture.rig.stop() == 0)
    }

    /// The server accepts each refresh token once. After a restart, only the newest token works.
    @Test func `keeps tokens that rclone refreshed for the next start`() async throws {
        let fixture = try await Fixture(.drive)
        let original = fixture.server.scratch.path("rclone.conf")
        let before = try String(contentsOfFile: original, encoding: .utf8)
        try fixture.camera.command("shoot")
        _ = try await fixture.waitForDeliveries(1)
        #expect(try await fixture.rig.stop() == 0)
        let kept = try String(
            contentsOfFile: fixture.rig.folder.path("state/destinations/drive.rclone.conf"), encoding: .utf8)
        #expect(before.contains("first-refresh-token") && !kept.contains("first-refresh-token"))
        try await fixture.start()
        try fixture.camera.command("shoot")
        let snapshot = try await fixture.waitForDeliveries(2)
        #expect(try snapshot.status.uploads.failed == 0, "[loss] failed uploads")
        let truth = try fixture.camera.truth().map(\.sha256).sorted()
        #expect(try await fixture.server.sums() == truth, "[loss] wrong photos at the server")
        #expect(try String(contentsOfFile: original, encoding: .utf8) == before)
        #expect(try await fixture.rig.stop() == 0)
    }

    @Test func `the Immich recipe sends file, fields and API key`() async throws {
        let fixture = try await Fixture(.immich)
        try fixture.camera.command("shoot 2")
        let snapshot = try await fixture.waitForDeliveries(2)
        let times = ISO8601DateFormatter()
        for record in try snapshot.records {
            let sum = try #require(record.sha256, "[loss] a photo has no hash")
            let asset = try JSONDecoder().decode(
                Asset.self, from: try fixture.server.content(of: "\(sum).json"))
            #expect(asset.sha256 == sum, "[loss] wrong photo content")
            let captured = times.string(from: try #require(record.capturedAt))
            #expect(
                asset.fields == [
                    "deviceAssetId": sum, "deviceId": "framefast", "fileCreatedAt": captured,
                    "fileModifiedAt": captured,
                ])
            #expect(asset.key == "ff" && asset.type == "image/jpeg", "\(asset)")
            #expect(record.path?.hasSuffix("/\(asset.name)") == true, "\(asset.name)")
        }
        let truth = try fixture.camera.truth().map(\.sha256)
        #expect(
            try fixture.server.names().sorted() == truth.map { "\($0).json" }.sorted(),
            "[loss] wrong photos at the server")
        #expect(try await fixture.rig.stop() == 0)
    }
}
