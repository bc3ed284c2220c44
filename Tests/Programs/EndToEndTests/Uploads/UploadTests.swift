import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of uploads from a camera through the service to a destination, in the upload modes that have no
/// settings (not `rated` or `scheduled`). Each photo is uploaded once.
@Suite(.serialized, .programs(2)) struct UploadTests {
    private struct Fixture {
        let folder: ScratchFolder
        let camera: Simulator
        let rig: DaemonRig
        let nas: String

        init(_ arguments: [String] = ["--size", "100KB"]) async throws {
            folder = try ScratchFolder()
            nas = folder.path("nas")
            try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
            camera = try await Simulator(folder, arguments)
            rig = try DaemonRig(
                cameras: [("studio-a", camera.address)],
                tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""])
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        }

        /// Returns the names of the files below the destination's folder.
        func names() -> [String] {
            let files = FileManager.default.enumerator(atPath: nas)?.compactMap { $0 as? String } ?? []
            return files.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(nas)/\(name)", isDirectory: &isFolder)
                    && !isFolder.boolValue && !name.contains("/.") && !name.hasPrefix(".")
            }.sorted()
        }

        func waitForDeliveries(_ count: Int) async throws {
            try await rig.status("\(count) photos to be delivered") { $0.uploads.delivered == count }
        }

        /// Checks that the destination has exactly the photos that the camera took, once each.
        func checkAll() throws {
            let truth = try camera.truth().map(\.sha256).sorted()
            #expect(
                try names().map { try DaemonRig.sha256(ofFile: "\(nas)/\($0)") }.sorted() == truth,
                "[loss] wrong photos delivered")
        }
    }

    @Test func `delivers every saved photo once, verifies it and records a job`() async throws {
        let fixture = try await Fixture()
        try fixture.camera.command("shoot 20")
        try await fixture.waitForDeliveries(20)
        try fixture.checkAll()
        let last = try await fixture.rig.waitUntil("twenty jobs to be delivered") {
            let jobs = try $0.jobs
            return jobs.count >= 20 && jobs.allSatisfy { $0.state == .delivered }
        }
        let jobs = try last.jobs
        #expect(jobs.count == 20, "[loss] a photo has two jobs")
        #expect(jobs.allSatisfy { $0.proof?.known == .checksum })
        // Two photos are transferred at a time, and the second may be saved first. Each photo still has one
        // job.
        #expect(Set(jobs.map(\.capture)).count == 20, "[loss] a photo has two jobs")
        #expect(try fixture.rig.client.call(\.destinations.test, "nas").value.ok)
        #expect(fixture.names().count == 20)
        #expect(try await fixture.rig.stop() == 0)
    }

    @Test func `applies upload modes and switches them during a session`() async throws {
        let fixture = try await Fixture(["--size", "100KB", "--pairs"])
        let client = fixture.rig.client
        _ = try client.call(\.sessions.start, .init(name: "Wedding", uploadMode: .offline))
        try fixture.camera.command("shoot 3")
        try await fixture.rig.status("the photos to be held") { $0.uploads.held == 6 }
        #expect(fixture.names().isEmpty)
        #expect(try client.call(\.captures.list, .init(state: .held)).value.captures.count == 6)
        // JPEGs are sent immediately, RAW files after the JPEGs.
        #expect(try client.call(\.uploads.setMode, .init(mode: .jpegFirst)).value.mode == .jpegFirst)
        try await fixture.rig.status("the JPEGs to be delivered, in the session's mode") {
            $0.uploads.delivered >= 3 && $0.session?.uploadMode == .jpegFirst
        }
        // All files are sent immediately again.
        _ = try client.call(\.uploads.setMode, .init(mode: .realtime))
        try await fixture.waitForDeliveries(6)
        // Only files that the user adds are sent.
        _ = try client.call(\.uploads.setMode, .init(mode: .manual))
        try fixture.camera.command("shoot")
        try await fixture.rig.status("the pair to be held") { $0.uploads.held == 2 }
        let newest = try #require(try client.call(\.captures.list, .init(limit: 1)).value.captures.first)
        #expect(try client.call(\.uploads.add, .init(to: "nas", ids: [newest.id])).value.changed == 1)
        try await fixture.waitForDeliveries(7)
        _ = try client.call(\.uploads.release, .init(all: true))
        try await fixture.waitForDeliveries(8)
        try fixture.checkAll()
        // Both files of a shot report the state of the shot.
        let delivered = try client.call(\.captures.list, .init(state: .delivered)).value.captures
        #expect(delivered.count == 8 && Set(delivered.map(\.shotID)).count == 4)
        #expect(delivered.allSatisfy { $0.shotState == .delivered })
        #expect(try client.call(\.captures.list, .init(state: .saved)).value.captures.isEmpty)
        try await fixture.rig.status("four shots with eight files, in all and in the session") {
            $0.captures.shots == 4 && $0.captures.total == 8 && $0.session?.shots == 4
                && $0.session?.captures == 8
        }
        #expect(try await fixture.rig.stop() == 0)
    }

    @Test(.nightly("DestinationLifeTests pauses a destination over a restart"))
    func `a paused destination keeps its queue over a restart and resumes`() async throws {
        let fixture = try await Fixture()
        _ = try fixture.rig.client.pauseUploads(true)
        try fixture.camera.command("shoot 5")
        try await fixture.rig.status("the photos to be queued") { $0.uploads.queued == 5 }
        #expect(try await fixture.rig.stop() == 0)
        try await fixture.rig.start()
        try await fixture.rig.status("the destination to stay paused") {
            $0.destinations.first?.state == .paused
        }
        #expect(fixture.names().isEmpty)
        _ = try fixture.rig.client.pauseUploads(false)
        try await fixture.waitForDeliveries(5)
        try fixture.checkAll()
        #expect(try await fixture.rig.stop() == 0)
    }
}
