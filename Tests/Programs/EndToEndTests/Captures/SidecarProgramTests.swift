import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// What programs for photos read beside them is what the ledger says, and no sidecar comes after its photo.
@Suite(.serialized) struct SidecarProgramTests {
    private static let exiftool = URL(filePath: "/usr/bin/exiftool")
    private static let exiv2 = URL(filePath: "/usr/bin/exiv2")
    private static let isReadable = [exiftool, exiv2].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0.path)
    }

    private let folder: ScratchFolder
    private let camera: Simulator

    init() async throws {
        folder = try ScratchFolder()
        camera = try await Simulator(folder, ["--size", "200KB", "--pairs"])
    }

    private func daemon(_ sidecar: [String], more: [String] = []) async throws -> DaemonRig {
        let rig = try DaemonRig(
            cameras: [("studio-1", camera.address)], tables: ["[sidecar]"] + sidecar + more)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        return rig
    }

    /// What exiftool reads, by group and name.
    private func read(_ path: String) async throws -> [String: String] {
        let (status, output) = try await RunningProgram.run(
            Self.exiftool, ["-j", "-G1", "-struct", "-api", "QuickTimeUTC", path], in: folder)
        #expect(status == 0, "\(output)")
        let tables = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
        return (tables?.first ?? [:]).mapValues { "\($0)" }
    }

    private func sidecars(_ rig: DaemonRig) throws -> [String] {
        try rig.files().keys.filter { $0.hasSuffix(".xmp") }.sorted()
    }

    @Test(.enabled(if: isReadable, "run scripts/prepare --tests first"))
    func `exiftool and exiv2 read what the ledger says, also after new stars`() async throws {
        let rig = try await daemon(["xmp = \"name\"", "position = \"52.5163, 13.3777\""])
        _ = try rig.client.call(\.sessions.start, .init(name: "Anna & <Ben> 🎞"))
        try camera.command("shoot 2")
        try await rig.saved(4)
        let raws = try rig.records().filter { !$0.originalName.hasSuffix("JPG") }
        #expect(raws.count == 2)
        #expect(try sidecars(rig).count == 2, "the JPEG beside a RAW has none of its own")
        let raw = try #require(raws.first)
        let path = try #require(raw.path?.replacing(#/\.[A-Za-z0-9]+$/#, with: ".xmp"))
        _ = try rig.client.call(
            \.shots.rate, raw.shotID, .init(stars: .set(4), pick: .set(true)))
        try await eventually("the stars in the sidecar") {
            try String(contentsOfFile: path, encoding: .utf8).contains("<xmp:Rating>4<") ? () : nil
        }
        let seen = try await read(path)
        #expect(seen["XMP-xmp:Rating"] == "4" && seen["XMP-xmp:Label"] == "Select")
        #expect(
            seen["XMP-framefast:Sha256"] == raw.sha256 && seen["XMP-framefast:Original"] == raw.originalName)
        #expect(seen["XMP-framefast:Camera"] == "studio-1")
        #expect(seen["XMP-framefast:Capture"] == raw.id.description)
        #expect(seen["XMP-iptcExt:Event"] == "Anna & <Ben> 🎞")
        let facts = try #require(try rig.client.call(\.cameras.list).value.cameras.first)
        #expect(seen["XMP-tiff:Model"] == facts.model && seen["XMP-aux:SerialNumber"] == facts.serial)
        #expect(seen["XMP-exifEX:SerialNumber"] == facts.serial)
        #expect(seen["XMP-exif:GPSLatitude"]?.hasPrefix("52 deg 30' 58.68\"") == true)
        let taken = try #require(seen["XMP-exif:DateTimeOriginal"])
        #expect(taken.contains(#/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/#), "\(taken)")

        for path in try sidecars(rig).map({ rig.captures + "/" + $0 }) {
            let (_, valid) = try await RunningProgram.run(
                Self.exiftool, ["-validate", "-warning", "-error", "-a", path], in: folder)
            #expect(valid.contains("Validate                        : OK"), "\(valid)")
            let (status, known) = try await RunningProgram.run(
                Self.exiv2, ["-q", "-PXkv", "print", path], in: folder)
            #expect(status == 0 && known.contains("Xmp.framefast.SHA256"), "\(known)")
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `an edited sidecar outlives new stars, a restart and the clearing of its photo`() async throws
    {
        let nas = folder.path("nas")
        let rig = try await daemon(
            ["xmp = \"name.ext\"", "json = true"],
            more: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\"",
                "xmp = \"name\"",
            ])
        try camera.command("shoot")
        try await rig.status("both to be delivered") { $0.uploads.delivered == 2 }
        let records = try rig.records()
        let paths = records.compactMap(\.path)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: path + ".xmp"))
            #expect(FileManager.default.fileExists(atPath: path + ".json"))
        }
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: nas).count { $0.hasSuffix(".xmp") } == 1,
            "one for the RAW")
        let edited = try #require(paths.first) + ".xmp"
        try "<mine/>".write(toFile: edited, atomically: true, encoding: .utf8)
        let shot = try #require(records.first).shotID
        _ = try rig.client.call(\.shots.rate, shot, .init(stars: .set(2)))
        try await rig.status("the condition") { $0.conditions.contains { $0.code == "sidecar-edited" } }
        #expect(try await rig.stop() == 0)
        try await rig.start()
        try await rig.status("the condition, again") {
            $0.conditions.contains { $0.code == "sidecar-edited" }
        }
        #expect(try String(contentsOfFile: edited, encoding: .utf8) == "<mine/>")

        #expect(try rig.client.call(\.storage.clear, .init()).value.files == 2)
        #expect(try Array(rig.files().keys) == [rig.relative(edited)])
        #expect(try await rig.stop() == 0)
    }

    @Test(.enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
    func `a kill between sidecar and photo leaves what the next start puts right`() async throws {
        let rig = try await daemon(["xmp = \"name.ext\""])
        let program = try #require(rig.program)
        let strace = try await Strace(
            program.pid, calls: "renameat2", injection: "delay_enter=1500000", in: folder)
        try camera.command("shoot")
        let sidecar = try await eventually("a sidecar") { try sidecars(rig).first }
        try await rig.kill()
        try await strace.detach()
        let photo = String(sidecar.dropLast(".xmp".count))
        #expect(try rig.files().keys.contains(photo) == false, "the sidecar is there first")
        try await rig.start()
        try await rig.saved(2)
        #expect(
            Set(try rig.files().keys)
                == Set(
                    try rig.records().compactMap { $0.path.map(rig.relative) }.flatMap { [$0, $0 + ".xmp"] }))
        let hashes = try rig.files().filter { !$0.key.hasSuffix(".xmp") }.values.sorted()
        #expect(hashes == (try camera.truth().map(\.sha256).sorted()))
        #expect(try await rig.stop() == 0)
    }
}
