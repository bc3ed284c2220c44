import Foundation
import FrameFastAPI
import FrameFastSystem
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Tests that documents, scripts and packaging match the repository, and tests of the package's purge.
@Suite struct RepositoryTests {
    private static let root = Repository.root

    @Test func `ARCHITECTURE's table lists exactly the folders of the repository`() throws {
        let text = try DocumentFile("ARCHITECTURE.md").text()
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("The repository") })
        let named = Set(section.matches(of: #/\n\| `(?<name>[^`]+?)/?` \|/#).map { String($0.name) })
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).filter { name in
            var isFolder: ObjCBool = false
            let path = Self.root.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
                && !name.hasPrefix(".")
        }
        #expect(named == Set(folders).union([".ci/run"]))
    }

    /// Returns every shell script.
    private static func scripts() throws -> [String] {
        let files = try #require(FileManager.default.enumerator(atPath: root.path))
        var scripts: [String] = []
        for case let path as String in files {
            if path == ".git" || path.hasPrefix(".build") {
                files.skipDescendants()
            } else if let file = FileHandle(forReadingAtPath: root.appending(path: path).path),
                let start = try? file.read(upToCount: 64),
                String(decoding: start, as: UTF8.self).contains(/^#!.*\b(ba)?sh\b/)
            {
                scripts.append(root.appending(path: path).path)
            }
        }
        return scripts
    }

    @Test(.programs(1)) func `every shell script passes shellcheck`() async throws {
        let scripts = try Self.scripts()
        for known in [".ci/run", "scripts/test", "packaging/debian/framefast.postinst"] {
            #expect(scripts.contains(Self.root.appending(path: known).path))
        }
        let (status, output) = try await RunningProgram.run(
            URL(filePath: "/usr/bin/shellcheck"), ["--severity=warning"] + scripts, in: ScratchFolder())
        #expect(status == 0, "\(output)")
    }

    @Test func `the docs script runs every suite that writes a file`() throws {
        let script = try DocumentFile("scripts/docs").text()
        let named = Set(script.matches(of: #/\w+Tests\b/#).map { String($0.output) })
        let tests = Self.root.appending(path: "Tests")
        var writers: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        where path.hasSuffix(".swift") {
            let file = tests.appending(path: path)
            let text = try String(contentsOf: file, encoding: .utf8)
            // Searches for fixed strings first, because a regular expression over all tests takes seconds.
            guard
                strstr(text, "GoldenTests" + ".expect(") != nil
                    || strstr(text, "writing: ") != nil && text.contains(#/\.(text|data)\(\s*writing: /#)
            else { continue }
            writers.insert(file.deletingPathExtension().lastPathComponent)
        }
        #expect(named == writers)
    }

    @Test func `the purge script removes only files that it names`() throws {
        let script = try DocumentFile("packaging/debian/framefast.postrm").text()
        #expect(!script.contains("captures"))
        #expect(!script.contains("rm -rf \"$state\"\n") && !script.contains("\"$state\"/*"))
        for name in ["ledger.sqlite", "network-guid", "ballast", "cameras", "destinations"] {
            #expect(script.contains("\"$state\"/\(name)"))
        }
    }

    @Test(.programs(1))
    func `purge keeps photos below the state directory and removes the service's files`()
        async throws
    {
        let folder = try ScratchFolder()
        let state = folder.path("state")
        let photos = [
            "captures/a.jpg", "cameras/Wedding/IMG_1.JPG", "cameras/studio-a/IMG_2.JPG", "cameras/IMG_3.CR3",
            "destinations/2026/IMG_4.JPG", "presets/Wedding/IMG_5.JPG", "presets/IMG_6.CR3",
            "intervals/IMG_7.JPG", ".ssh/IMG_8.JPG", "cameras/studio-a/from-memory-1.photo",
            "photo folder/IMG_9.JPG", "captures/.framefast/set-aside/IMG_10.JPG", "web/IMG_11.JPG",
            // Files with names that the service uses, but in folders that the service does not use.
            "presets/Wedding/x.toml", "intervals/Wedding/y.part", "cameras/Wedding/a/pieces.json",
            "destinations/2026/z.folder", ".ssh/old/known_hosts", "web/Wedding/key.pem",
        ]
        let own = [
            "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "lock", "network-guid", "ballast",
            "station",
            "cameras/studio-a/call-trace", "cameras/studio-a/card.jsonl",
            "cameras/studio-b/camera-settings.json",
            "cameras/studio-b/.gphoto/settings", "cameras/drivers/ptp2.so", "destinations/nas.folder",
            "cameras/studio-a/pieces.json", "cameras/studio-a/session-usb.lock", "capture-folder",
            "capture-folder.1234.part", "give-back.json", "ledger.sqlite.new-wal",
            "ledger.damaged-20261121T101112Z.sqlite", "ledger.sqlite.salvage", "ledger.sqlite.salvage-wal",
            "presets/portrait.toml", "intervals/61-62.plan", "intervals/61-62.ticks",
            "destinations/nas.rclone.conf", "destinations/station", "destinations/.cache/rclone/x",
            ".ssh/known_hosts", "photo-folders.1234.part",
            "station.1A2B3C4D.part", "network-guid.1A2B3C4D.part", "cameras/studio-a/from-memory-2.new",
            "cameras/studio-b/.gphoto/settings.1A2B3C4D.part", "web/key.pem", "web/key.pem.part",
            "web/certificate.pem", "web/certificate.pem.part",
        ]
        for path in photos + own {
            let file = URL(filePath: state).appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        let output = try await Self.purge(state, folder)
        #expect(output.contains("The folder \(state) stays."), "\(output)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: state)
        for path in photos { #expect(left.contains(path), "[loss] removed \(path)") }
        for path in own { #expect(!left.contains(path)) }
        // Folders without photos are removed.
        #expect(!left.contains("cameras/studio-b") && !left.contains("cameras/drivers"))
    }

    /// Runs the package's purge with a folder as its state directory.
    private static func purge(_ state: String, _ folder: ScratchFolder) async throws -> String {
        let (status, output) = try await PackagePurge.run(state, in: folder)
        #expect(status == 0, "\(output)")
        return output
    }

    @Test(.programs(1))
    func `purge lists photo folders and follows no symbolic link`() async throws {
        let folder = try ScratchFolder()
        let (state, files) = (folder.path("state"), FileManager.default)
        for name in ["state/.ssh", "foreign/plans", "foreign/a b"] {
            try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let foreign = ["foreign/plans/1.plan", "foreign/a b/c.jpg", "foreign/known_hosts", "foreign/x.toml"]
        for name in foreign { try Data("x".utf8).write(to: URL(filePath: folder.path(name))) }
        for (link, target) in [
            ("presets", "foreign"), ("intervals", "foreign/plans"),
            (".ssh/known_hosts", "foreign/known_hosts"),
            ("capture-folder", "foreign/x.toml"),
        ] {
            try files.createSymbolicLink(
                atPath: state + "/" + link, withDestinationPath: folder.path(target))
        }
        let list = """
            /srv/photos
            \(folder.path("foreign/a b"))
            ../foreign
            relative

            \(state)/../foreign
            /tmp/\u{1B}[31m$(touch \(folder.path("run")))
            -rf /
            """
        try (list + "\n").write(toFile: state + "/photo-folders", atomically: true, encoding: .utf8)
        let output = try await Self.purge(state, folder)
        #expect(output.contains("  /srv/photos\n") && output.contains("  \(folder.path("foreign/a b"))\n"))
        #expect(!output.contains("relative") && !output.contains("-rf") && !output.contains("\u{1B}"))
        for name in foreign { #expect(files.fileExists(atPath: folder.path(name)), "[loss] removed \(name)") }
        #expect(!files.fileExists(atPath: folder.path("run")))
        // The purge did not follow the links. It removed the links with names of the service's files.
        #expect(try files.contentsOfDirectory(atPath: state).sorted() == ["intervals", "presets"])
    }

    @Test(.programs(1)) func `purge succeeds when the state directory is a symbolic link`() async throws {
        let folder = try ScratchFolder()
        let (state, files) = (folder.path("state"), FileManager.default)
        try files.createDirectory(atPath: folder.path("disk/presets"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: state, withDestinationPath: folder.path("disk"))
        for name in ["capture-folder", "ledger.sqlite", "presets/a.toml", "a.jpg"] {
            try Data("x".utf8).write(to: URL(filePath: folder.path("disk/" + name)))
        }
        _ = try await Self.purge(state, folder)
        #expect(
            try files.contentsOfDirectory(atPath: folder.path("disk")) == ["a.jpg"],
            "[loss] wrong files after the purge")
    }

    /// The test replaces only the paths of the installed package. The worker would refuse to start if the
    /// documented command lacked a required option.
    @Test(
        .programs(1),
        .enabled(
            if: KernelSandboxing.current.missing == nil,
            "this kernel has no \(KernelSandboxing.current.missing ?? "")"))
    func `the sandbox trial in security.md succeeds as written`() async throws {
        let blocks = try DocumentedBlock.all(in: "docs/security.md")
        let line = try #require(blocks.flatMap(\.lines).first { $0.contains("--show-confinement") })
        let installed = "sudo -u framefast /usr/libexec/framefast/framefast-camera "
        let photos = " /var/lib/framefast/captures/.framefast/incoming"
        #expect(line.hasPrefix(installed) && line.hasSuffix(photos), "\(line)")
        let folder = try ScratchFolder()
        let incoming = folder.path("incoming")
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
        let options = line.dropFirst(installed.count).dropLast(photos.count).split(separator: " ")
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefast-camera"), options.map(String.init) + [incoming], in: folder)
        #expect(status == 0 && output.contains("a part file: allowed"), "\(output)")
    }

    @Test func `the version in the source is the program's and has dpkg's format`() async throws {
        let source = try DocumentFile("Sources/API/FrameFastAPI/ProductVersion.swift").text()
        let line = try #require(source.firstMatch(of: #/static let current = "(?<version>.*)"/#))
        #expect(String(line.version) == ProductVersion.current)
        // dpkg's format of a version.
        #expect(ProductVersion.current.wholeMatch(of: #/[0-9][0-9A-Za-z.+~]*/#) != nil)
    }

    @Test func `the udev rule and the AppStream metadata list the same makers`() throws {
        let rules = try DocumentFile("udev/60-framefast.rules").text()
        let vendors = rules.matches(of: #/\nATTR\{idVendor\}=="(?<numbers>[^"]+)"/#)
            .flatMap { $0.numbers.split(separator: "|").map { $0.uppercased() } }
        let products = try DocumentFile("packaging/debian/framefast.metainfo.xml").text()
            .matches(of: #/usb:v(?<number>[0-9A-F]{4})p/#).map { String($0.number) }
        #expect(Set(vendors) == Set(products))
    }
}
