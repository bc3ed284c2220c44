import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the upload modes `rated`, `scheduled` and `jpeg-first`. The tests use the command line and a
/// simulated camera.
@Suite(.serialized, .programs(2)) struct ModeTests {
    private struct Fixture {
        let folder: ScratchFolder
        let camera: Simulator
        let rig: DaemonRig

        init(_ arguments: [String] = ["--size", "60KB"], upload: [String] = []) async throws {
            folder = try ScratchFolder()
            camera = try await Simulator(folder, arguments)
            rig = try DaemonRig(cameras: [("a", camera.address)], tables: Self.tables(folder, upload))
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        }

        static func tables(_ folder: ScratchFolder, _ upload: [String] = []) -> [String] {
            ["[upload]"] + upload + [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ]
        }

        /// Runs `framefast` with these arguments, and returns its output.
        func framefast(_ words: String...) async throws -> String {
            let (status, output) = try await RunningProgram.run(
                Programs.path("framefast"), words + ["--plain", "--socket", rig.socket], in: folder)
            #expect(status == 0, "\(output)")
            return output
        }

        func waitForUploads(delivered: Int, held: Int) async throws {
            try await rig.status("\(delivered) photos to be delivered and \(held) to be held") {
                $0.uploads.delivered == delivered && $0.uploads.held == held
                    && $0.uploads.queued + $0.uploads.uploading + $0.uploads.verifying == 0
            }
        }

        func shoot(stars: Int) throws {
            try camera.command("rating \(stars)")
            try camera.command("shoot")
        }

        /// Returns the times of day that are `from` and `to` minutes from now.
        func window(_ from: Int, _ to: Int) -> (from: String, to: String) {
            func time(_ minutes: Int) -> String {
                let date = Date().addingTimeInterval(Double(minutes) * 60)
                let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
                return [parts.hour, parts.minute].map { String(100 + ($0 ?? 0)).suffix(2) }.joined(
                    separator: ":")
            }
            return (time(from), time(to))
        }
    }

    @Test func `uploads photos by rating and follows a changed threshold`() async throws {
        let fixture = try await Fixture()
        _ = try fixture.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        try fixture.shoot(stars: 0)
        try await fixture.waitForUploads(delivered: 1, held: 0)
        #expect(try await fixture.framefast("mode", "rated", "--stars", "3").contains("stars: 3 or more"))
        for stars in [2, 4, 0, 3] { try fixture.shoot(stars: stars) }
        try await fixture.waitForUploads(delivered: 3, held: 2)
        // A lower threshold releases a photo. A higher threshold does not hold delivered photos.
        _ = try await fixture.framefast("mode", "rated", "--stars", "2")
        try await fixture.waitForUploads(delivered: 4, held: 1)
        #expect(try await fixture.rig.stop() == 0)

        try await fixture.rig.start()
        #expect(try fixture.rig.client.call(\.uploads.mode).value.threshold == 2)
        try await fixture.rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for stars in [1, 2] { try fixture.shoot(stars: stars) }
        try await fixture.waitForUploads(delivered: 5, held: 2)
        #expect(try await fixture.rig.stop() == 0)

        // A new value in the configuration overrides the earlier choice.
        try fixture.rig.configure(tables: Fixture.tables(fixture.folder, ["minimum_rating = 5"]))
        try await fixture.rig.start()
        #expect(try fixture.rig.client.call(\.uploads.mode).value.threshold == 5)
        _ = try await fixture.framefast("mode", "realtime")
        try await fixture.waitForUploads(delivered: 7, held: 0)
        let wrong = try await fixture.rig.untilIntact(fixture.camera.truth())
        #expect(wrong == [])
        #expect(try await fixture.rig.stop() == 0)
    }

    @Test(.nightly("in the gate, UploadEngineTests covers the modes, the test with ratings covers the CLI"))
    func `uploads scheduled photos in their window or after enough photos`() async throws {
        let fixture = try await Fixture()
        let (soon, now) = (fixture.window(120, 180), fixture.window(-60, 60))
        _ = try await fixture.framefast("mode", "scheduled", "--from", soon.from, "--to", soon.to)
        try fixture.camera.command("shoot 2")
        try await fixture.waitForUploads(delivered: 0, held: 2)
        #expect(try fixture.rig.client.call(\.uploads.mode).value.window == "\(soon.from)-\(soon.to)")
        // The service uploads held photos in pairs: first the two that are already held, then the next two.
        _ = try await fixture.framefast("mode", "scheduled", "--after", "2")
        try await fixture.waitForUploads(delivered: 2, held: 0)
        try fixture.camera.command("shoot")
        try await fixture.waitForUploads(delivered: 2, held: 1)
        try fixture.camera.command("shoot")
        try await fixture.waitForUploads(delivered: 4, held: 0)
        _ = try await fixture.framefast("mode", "scheduled", "--after", "0")
        try fixture.camera.command("shoot 3")
        try await fixture.waitForUploads(delivered: 4, held: 3)
        #expect(try await fixture.rig.stop() == 0)

        try await fixture.rig.start()
        let mode = try fixture.rig.client.call(\.uploads.mode).value
        #expect(
            mode.mode == .scheduled && mode.window == "\(soon.from)-\(soon.to)" && mode.afterPhotos == nil)
        try await fixture.waitForUploads(delivered: 4, held: 3)
        _ = try await fixture.framefast("mode", "scheduled", "--from", now.from, "--to", now.to)
        try await fixture.waitForUploads(delivered: 7, held: 0)
        try await fixture.rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try fixture.camera.command("shoot")
        try await fixture.waitForUploads(delivered: 8, held: 0)
        _ = try await fixture.framefast("mode", "scheduled", "--from", soon.from, "--to", soon.to)
        try fixture.camera.command("shoot")
        try await fixture.waitForUploads(delivered: 8, held: 1)
        _ = try await fixture.framefast("mode", "realtime")
        try await fixture.waitForUploads(delivered: 9, held: 0)
        #expect(try await fixture.rig.stop() == 0)
    }

    @Test(.nightly("UploadTests covers a switch to jpeg-first mode"))
    func `uploads RAW files after the JPEGs in jpeg-first mode`() async throws {
        let fixture = try await Fixture(["--size", "60KB", "--pairs"])
        _ = try fixture.rig.client.call(\.sessions.start, .init(name: "Wedding", uploadMode: .realtime))
        try fixture.camera.command("shoot")
        try await fixture.waitForUploads(delivered: 2, held: 0)
        _ = try await fixture.framefast("mode", "jpeg-first")
        try fixture.camera.command("shoot 3")
        try await fixture.waitForUploads(delivered: 8, held: 0)
        let jobs = try fixture.rig.client.call(\.uploads.list, .init(limit: 6)).value.jobs
        let (jpegs, raws) = (
            jobs.filter { $0.originalName.hasSuffix(".JPG") },
            jobs.filter { !$0.originalName.hasSuffix(".JPG") }
        )
        #expect(jpegs.count == 3 && raws.count == 3)
        let last = try #require(jpegs.map(\.updatedAt).max())
        #expect(raws.allSatisfy { $0.updatedAt > last })
        #expect(try await fixture.rig.stop() == 0)
    }
}
