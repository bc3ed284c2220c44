import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the package's purge on the state directory of a real service.
@Suite(.programs(3)) struct PurgeTests {
    private func run(_ rig: DaemonRig, _ arguments: String...) async throws {
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast"), arguments + ["--json", "--socket", rig.socket], in: rig.folder)
        #expect(status == 0, "\(arguments): \(output)")
    }

    /// Returns the files below a folder, with paths relative to that folder.
    private func files(below folder: String) -> Set<String> {
        let files = FileManager.default
        let paths = (try? files.subpathsOfDirectory(atPath: folder)) ?? []
        return Set(
            paths.filter { path in
                let facts = try? files.attributesOfItem(atPath: folder + "/" + path)
                return facts?[.type] as? FileAttributeType != .typeDirectory
            })
    }

    /// Files that the service always creates in this test.
    private static let certain: Set<String> = [
        "ledger.sqlite", "lock", "station", "network-guid", "capture-folder", "photo-folders",
        "photos-left.json", "give-back.json", "presets/portrait.toml", "destinations/nas.folder",
        "web/key.pem", "web/certificate.pem",
    ]

    /// If the service gets a new kind of file, `framefast.postrm` must remove this kind, too.
    @Test func `purge removes every file of a killed service and keeps photos`() async throws {
        let folder = try ScratchFolder()
        let nikon = try await Simulator(folder, name: "nikon", ["--maker", "nikon", "--size", "50KB"])
        let sony = try await Simulator(
            folder, name: "sony", ["--maker", "sony", "--size", "8MB", "--rate", "1MB"])
        // The service generates a certificate for a page with TLS.
        let port = try ReservedPorts()
        defer { withExtendedLifetime(port) {} }
        let rig = try DaemonRig(
            cameras: [("studio", nikon.address), ("tether", sony.address)],
            tables: [
                "[web]", "listen = \"lan:\(port.first)\"",
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        try await rig.status("both cameras to be ready") { status in
            status.cameras.count { $0.state == .ready } == 2
        }
        // Disconnects a camera during a transfer. The photo stays in the camera's memory.
        _ = try sony.operations()
        try sony.command("shoot")
        try await eventually("the photo to be read") {
            try sony.operations().contains { $0.code == "1009" } ? () : nil
        }
        try sony.command("link down")
        try await rig.status("the photo to be reported") {
            $0.conditions.contains { $0.code == "photos-left-in-camera" }
        }
        // The preset of the session changes a setting, which the service has to restore later.
        try await run(rig, "preset", "save", "portrait", "studio")
        try await run(rig, "set", "studio", "iso=800")
        try await run(rig, "session", "start", "Wedding", "--preset", "portrait", "--give-back")
        try await run(rig, "interval", "studio", "--every", "2s", "--count", "500", "--detach")
        try await rig.status("two delivered photos") { $0.uploads.delivered >= 2 }
        // The service stores the requested small picture of a photo.
        let shots = try rig.client.call(\.shots.list, ShotsQuery()).value.ids
        let shot = try #require(shots.last)
        let (code, _) = try MetricsReader.run(
            MetricsReader.curl,
            [
                "-sf", "--output", folder.path("512.jpg"), "--unix-socket", rig.socket,
                "http://localhost/v1/shots/\(shot)/512",
            ])
        #expect(code == 0)
        let state = rig.folder.path("state")
        try await eventually("the state files: \(Self.certain.subtracting(files(below: state)))") {
            Self.certain.isSubset(of: files(below: state)) ? () : nil
        }
        let workers = rig.program?.children ?? []
        try await rig.kill()
        // The workers of a killed service write to their folders until they end.
        try await eventually("the workers to end") {
            workers.contains(where: RunningProgram.isAlive) ? nil : ()
        }

        let before = files(below: state)
        for folder in ["intervals/", "cameras/", "previews/"] {
            #expect(before.contains { $0.hasPrefix(folder) }, "\(folder)")
        }
        let photos = files(below: rig.captures).filter { !$0.hasPrefix(".framefast") }
        #expect(photos.count >= 2)
        let photo = try #require(photos.first)
        // A person saved a photo next to the service's files.
        try FileManager.default.copyItem(atPath: rig.captures + "/" + photo, toPath: state + "/portrait.jpg")
        let (status, output) = try await PackagePurge.run(state, in: folder)
        #expect(status == 0, "\(output)")
        #expect(output.contains("  \(rig.captures)\n"), "\(output)")
        // Photos that a worker received from a camera's memory stay.
        let fromMemory = before.filter { $0.contains("/from-memory-") && $0.hasSuffix(".photo") }
        let left = files(below: state)
        #expect(
            left == fromMemory.union(["portrait.jpg"]),
            "framefast.postrm does not remove \(left.subtracting(fromMemory))")
        let stillThere = files(below: rig.captures).filter { !$0.hasPrefix(".framefast") }
        #expect(stillThere == photos, "[loss] wrong photos in the capture folder")
    }
}
