import Foundation
import FrameFastSystem
import Glibc
import SurfaceTestSupport
import Synchronization
import SystemPackage
import TestRig
import Testing
import UploadDestinations

@testable import FrameFastDaemon

/// Tests of the folder checks of `--check-config`, which run before the service starts.
@Suite(.blocking) struct FolderCheckTests {
    /// Returns a check for a computer with a system service. A closure provides the output of programs.
    private static func check(
        _ folders: [String], isSystemService: Bool = true, isByFlags: Bool = false, isRoot: Bool = true,
        root: ScratchFolder,
        _ run: @escaping CheckProcess.Run
    ) throws -> FolderCheck {
        let places = zip(folders, [ServiceSandbox.Purpose.photos, .state]).map {
            ServicePlace(path: $0, use: .folder($1))
        }
        return try check(
            places: places, isSystemService: isSystemService, isByFlags: isByFlags, isRoot: isRoot,
            root: root, run)
    }

    /// Returns a check of these places. A closure provides the output of programs.
    static func check(
        places: [ServicePlace], isSystemService: Bool = true, isByFlags: Bool = false, isRoot: Bool = true,
        root: ScratchFolder,
        _ run: @escaping CheckProcess.Run
    ) throws -> FolderCheck {
        for path in [
            "usr/lib/systemd/system/framefastd.service", "run/systemd/system/x", "var/lib/framefast/x",
        ] {
            let url = URL(filePath: root.path(path))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        return FolderCheck(
            places: places, isSystemService: isSystemService, isByFlags: isByFlags,
            program: "/usr/bin/framefastd", options: [], isRoot: isRoot,
            sandbox: ServiceSandbox(root: root.url.path)
        ) { program, arguments in
            // Keeps a reference to the folder. The end of the last reference removes the folder.
            let output = await run(program, arguments)
            return withExtendedLifetime(root) { output }
        }
    }

    /// Returns the output of a test process.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the process, with the paths that it tests.
    ///   - results: The results of some paths. The other paths can be used.
    ///   - hanging: Paths whose tests do not end.
    static func output(
        _ arguments: [String], _ results: [String: FolderTrialResult] = [:], hanging: Set<String> = []
    ) -> String {
        var tests: [FolderTrialResult?] = []
        for (option, path) in zip(arguments, arguments.dropFirst())
        where ["--try-folder", "--try-file"].contains(option) {
            let usable = FolderTrialResult(target: path, errno: 0, subject: path)
            tests.append(hanging.contains(path) ? nil : results[path] ?? usable)
        }
        return (try? CheckProcess.line(tests)) ?? ""
    }

    /// Returns the output of a test process with this result for one path. The other paths can be used.
    private static func output(
        _ arguments: [String], _ path: String, _ reason: Errno?, target: String? = nil
    ) -> String {
        let result = FolderTrialResult(target: target ?? path, errno: reason?.rawValue, subject: path)
        return output(arguments, [path: result])
    }

    struct Row: Sendable {
        var folder: String
        /// The folder with its symbolic links resolved, or `nil` if the path has no links.
        var target: String?
        /// The error number of the trial in the sandbox, with 0 for success, or `nil` if the trial runs
        /// without a sandbox.
        var inside: Errno?
        var outside = Errno(rawValue: 0)
        /// Parts of the fault's text, or an empty array if no fault is expected.
        var says: [String]
    }

    @Test(arguments: [
        Row(folder: "/srv/photos", inside: Errno(rawValue: 0), says: []),
        Row(
            folder: "/srv/photos", inside: .permissionDenied,
            says: [
                "cannot write to /srv/photos",
                "sudo install -d -o framefast -g framefast /srv/photos && sudo systemctl restart",
            ]),
        Row(folder: "/mnt/nas", inside: .readOnlyFileSystem, says: ["mount the disk read-write"]),
        Row(
            folder: "/data/photos", inside: .readOnlyFileSystem,
            says: ["ReadWritePaths=-/data/photos", "sudo systemctl daemon-reload"]),
        Row(
            folder: "/home/ann/Pictures", inside: .permissionDenied,
            says: ["ProtectHome=tmpfs", "BindPaths=-/home/ann/Pictures"]),
        // A symbolic link points outside the folders that the unit allows.
        Row(
            folder: "/srv/photos", target: "/data/it's", inside: .readOnlyFileSystem,
            says: ["cannot write to /srv/photos", "ReadWritePaths=-/data/it"]),
        Row(
            folder: "/srv/photos", inside: .notDirectory,
            says: ["while /srv/photos is there", "Move it to another path"]),
        // The trial without a sandbox succeeds, but the unit does not allow the folder.
        Row(folder: "/data/photos", inside: nil, says: ["ReadWritePaths=-/data/photos"]),
        Row(folder: "/media/card", inside: nil, says: []),
        // systemd removes the photos when the service stops.
        Row(folder: "/tmp/photos", inside: Errno(rawValue: 0), says: ["removes when the service stops"]),
        Row(folder: "/srv/photos", inside: nil, outside: .permissionDenied, says: ["sudo install -d"]),
    ])
    func `suggests commands for a folder that the service can't write`(row: Row) async throws {
        let check = try Self.check([row.folder], root: ScratchFolder()) { program, arguments in
            switch program {
            case "/usr/bin/systemctl":
                return row.inside == nil ? "" : "User=framefast\nProtectSystem=strict\n"
            case "/usr/bin/systemd-run": return Self.output(arguments, row.folder, row.inside)
            default: return Self.output(arguments, row.folder, row.outside, target: row.target)
            }
        }
        let faults = await check.findings().faults
        #expect(faults.count == (row.says.isEmpty ? 0 : 1), "\(faults)")
        for part in row.says { #expect(faults.first?.contains(part) == true, "\(part) in \(faults)") }
        #expect(!faults.joined().contains("continues automatically"))
    }

    @Test func `warns of a folder that this user can't inspect`() async throws {
        let hidden = try Self.check(["/srv/a"], isRoot: false, root: ScratchFolder()) { _, arguments in
            Self.output(arguments, "/srv/a", nil)
        }
        let unseen = await hidden.findings()
        #expect(unseen.faults == [] && unseen.warnings.count == 1)
        #expect(unseen.warnings.first?.contains("run 'sudo framefastd --check-config'") == true)
    }

    @Test func `reports a check without results`() async throws {
        let check = try Self.check(["/srv/a", "/srv/b"], root: ScratchFolder()) { _, _ in nil }
        let found = await check.findings()
        #expect(found.faults == ["cannot check /srv/a, /srv/b: run 'sudo framefastd --check-config'"])
    }

    /// The arguments are the output of the trial in the sandbox, the output of another program in the
    /// sandbox, and the number of faults.
    @Test(arguments: [
        ("", "", 1), ("Failed to connect to bus: Connection refused\n", "", 0),
        // The sandbox hides the program, or the program was killed.
        ("", "made\n", 0),
        ("", "cannot start /usr/bin/systemd-run", 0),
    ])
    func `reports an unusable sandbox only if no program has output in it`(
        output: String, other: String, faults: Int
    ) async throws {
        let check = try Self.check(["/srv/photos"], root: ScratchFolder()) { program, arguments in
            switch program {
            case "/usr/bin/systemctl": return "User=framefast\nReadWritePaths=/data/photos\n"
            case "/usr/bin/systemd-run": return arguments.contains("--try-folder") ? output : other
            default: return Self.output(arguments)
            }
        }
        let found = await check.findings().faults
        #expect(found.count == faults && found.allSatisfy { $0.contains("systemctl cat framefastd") })
    }

    @Test func `distinguishes a failed start from a program without output`() async {
        let output = await CheckProcess.output(
            of: "/nowhere/program", [], timeout: .seconds(20), clock: .system)
        #expect(output == "cannot start /nowhere/program")
        #expect(await CheckProcess.output(of: "/bin/true", [], timeout: .seconds(20), clock: .system) == "")
    }

    @Test func `suggests one drop-in for each folder outside the sandbox`() async throws {
        let folders = ["/data/photos", "/data/state"]
        let results = folders.map {
            FolderTrialResult(target: $0, errno: Errno.readOnlyFileSystem.rawValue, subject: $0)
        }
        let check = try Self.check(folders, root: ScratchFolder()) { program, arguments in
            program == "/usr/bin/systemctl"
                ? "User=framefast\n"
                : Self.output(arguments, Dictionary(uniqueKeysWithValues: zip(folders, results)))
        }
        let faults = await check.findings().faults
        #expect(faults.count == 2)
        #expect(faults.first?.contains("framefastd.service.d/photos.conf") == true)
        #expect(faults.last?.contains("framefastd.service.d/state.conf") == true)
    }

    @Test(arguments: [Errno.permissionDenied, Errno(rawValue: 0)])
    func `warns that folders from flags are checked as this user`(
        reason: Errno
    ) async throws {
        let check = try Self.check(
            ["/srv/photos"], isSystemService: false, isByFlags: true, root: ScratchFolder()
        ) { _, arguments in Self.output(arguments, "/srv/photos", reason) }
        let found = await check.findings()
        #expect(found.faults == [])
        #expect(found.warnings.count == (reason == .permissionDenied ? 2 : 1))
        #expect(found.warnings.last?.contains("not as the service") == true)
    }

    @Test(arguments: [
        (
            "/media/ann",
            ["no access to /media/ann", "under /srv or /mnt", "setfacl -m u:framefast:x /media/ann"]
        ),
        // A drop-in allows folders that the unit hides.
        ("/home", ["BindPaths=-/home/ann/DISK"]),
    ])
    func `reports the ancestor folder that the service can't search`(closed: String, says: [String])
        async throws
    {
        let folder = closed == "/home" ? "/home/ann/DISK" : closed + "/DISK"
        let result = FolderTrialResult(
            target: folder, errno: Errno.permissionDenied.rawValue, subject: closed, isClosed: true)
        let check = try Self.check([folder], root: ScratchFolder()) { program, arguments in
            program == "/usr/bin/systemctl"
                ? "User=framefast\n" : Self.output(arguments, [folder: result])
        }
        let faults = await check.findings().faults
        #expect(faults.count == 1)
        for part in says { #expect(faults.first?.contains(part) == true, "\(part) in \(faults)") }
        #expect(faults.first?.contains("(\(closed): ") == true)
    }

    @Test(arguments: [
        ("PrivateTmp=yes", true), ("", true), ("PrivateTmp=no", false),
        ("PrivateTmp=yes\nBindPaths=/data:/tmp/photos:rbind /b:/c:rbind", false),
        ("BindPaths=/tmp/photos:/srv/photos:rbind", true),
    ])
    func `a folder in a private tmp is temporary unless a bind mount provides it`(unit: String, isOwn: Bool) {
        #expect(ServiceSandbox.isTemporary("/tmp/photos/a", unit: unit) == isOwn)
        #expect(ServiceSandbox().conceals("/tmp/photos/a", unit: unit) == isOwn)
        #expect(!ServiceSandbox.isTemporary("/srv/tmp", unit: unit))
    }

    @Test(arguments: [
        ("/home/ann/key", "ProtectHome=tmpfs", true), ("/home/ann/key", "", true),
        ("/home/ann/key", "ProtectHome=tmpfs\nBindPaths=/home/ann:/home/ann:rbind", false),
        ("/home/ann/key", "ProtectHome=tmpfs\nBindPaths=/home/ben:/home/ben:rbind", true),
        ("/tmp/key", "PrivateTmp=yes", true), ("/tmp/key", "PrivateTmp=no", false),
        ("/srv/key", "PrivateTmp=yes", false),
    ])
    func `the sandbox conceals home and a private tmp, but not bind mounts`(
        path: String, unit: String, isConcealed: Bool
    ) {
        #expect(ServiceSandbox().conceals(path, unit: unit) == isConcealed)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `tests the sandbox only as root for the system service`(isSystemService: Bool, isRoot: Bool)
        async throws
    {
        let programs = Mutex<[String]>([])
        let check = try Self.check(
            ["/srv/a"], isSystemService: isSystemService, isRoot: isRoot, root: ScratchFolder()
        ) { program, arguments in
            programs.withLock { $0.append(program) }
            return Self.output(arguments)
        }
        #expect(await check.findings().faults == [])
        #expect(programs.withLock { $0 } == ["/usr/bin/framefastd"])
    }

    @Test func `builds the sandbox arguments from the properties of the unit`() throws {
        let shown = "User=framefast\nProtectHome=tmpfs\nBindPaths=/home/a:/home/a:rbind\nReadOnlyPaths=\n"
        let trial = ["--try-folder", "/srv/a b"]
        let arguments = try #require(
            FolderCheck.sandboxArguments(shown, program: "/usr/bin/framefastd", trial: trial))
        for property in [
            "User=framefast", "ProtectHome=tmpfs", "BindPaths=/home/a:/home/a:rbind",
            "ReadWritePaths=-/var/lib/framefast",
        ] {
            #expect(arguments.contains("--property=" + property))
        }
        #expect(!arguments.contains("--property=ReadOnlyPaths="))
        #expect(arguments.suffix(4) == ["--", "/usr/bin/framefastd"] + trial)
        let escaped = try #require(
            FolderCheck.sandboxArguments(shown, program: "/p", trial: ["--try-file", "/a/$B${C}"]))
        #expect(escaped.suffix(3) == ["/p", "--try-file", "/a/$$B$${C}"])
        #expect(FolderCheck.sandboxArguments("", program: "/p", trial: trial) == nil)
        #expect(
            FolderCheck.sandboxArguments("User=a\nBindPaths=[unprintable]\n", program: "/p", trial: trial)
                == nil)
    }

    @Test func `a folder trial finds unusable folders and creates no files`() throws {
        let folder = try ScratchFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.path("file")))
        try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("there"))
        try files.createSymbolicLink(atPath: folder.path("nowhere"), withDestinationPath: "/nowhere/at/all")
        let before = try files.subpathsOfDirectory(atPath: folder.url.path).sorted()
        let trial = FolderTrial(observer: .service)
        for name in ["there", "there/new/folder", "link", "link/new", "new"] {
            #expect(trial.test(folder.path(name)).errno == 0, "\(name)")
        }
        for name in ["file", "file/new", "nowhere", "nowhere/new"] {
            #expect(trial.test(folder.path(name)).errno == Errno.notDirectory.rawValue, "\(name)")
        }
        // `file` is not a folder, so the trial ends there.
        #expect(trial.test(folder.path("file/new/er")).subject == folder.path("file"))
        let target = trial.test(folder.path("link/new")).target
        #expect(target == trial.test(folder.path("there")).target + "/new")
        #expect(try files.subpathsOfDirectory(atPath: folder.url.path).sorted() == before)
    }

    @Test func `a folder trial determines the disk and the mark of a folder`() async throws {
        let trial = FolderTrial(observer: .service)
        #expect(trial.test("/").isOnRootDisk && trial.test("/nowhere/photos").isOnRootDisk)
        #expect(!trial.test("/proc/nowhere").isOnRootDisk)
        try await TemporaryDirectory.with { folder in
            #expect(trial.test(folder).isMarked == false)
            let mark = DirectoryDestination.markPath(in: folder)
            try FileManager.default.createDirectory(
                atPath: DurableFile.parent(of: mark), withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: mark))
            #expect(trial.test(folder).isMarked == true)
        }
    }
}
