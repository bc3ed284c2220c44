import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SettingKeys
import SurfaceTestSupport
import Synchronization
import SystemPackage
import TestRig
import Testing
import UploadDestinations

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

/// Tests of the checks that `--check-config` runs on the folders and files of destinations.
@Suite(.blocking) struct DestinationCheckTests {
    private static let done = Errno(rawValue: 0)
    private static let nas = "/mnt/nas/photos"
    private static let key = "/etc/framefast/nas key"

    /// The file that exists after the service has used the folder.
    private static let identity = DirectoryDestination.identityPath(
        of: "nas", stateDirectory: "/var/lib/framefast")

    private static func folder(_ path: String, mustBeMount: Bool = false) -> ServicePlace {
        ServicePlace(
            path: path, use: .folder(.destination("nas")), destination: "nas", mustBeMount: mustBeMount,
            identity: identity)
    }

    private static func file(_ path: String) -> ServicePlace {
        ServicePlace(path: path, use: .file(key: "key_file"), destination: "nas")
    }

    struct Row: Sendable {
        var place: ServicePlace
        /// The error number of the trial in the sandbox, or `nil` if the trial does not run.
        var inside: Errno?
        /// The error number of the trial outside of the sandbox.
        var outside: Errno? = Errno(rawValue: 0)
        /// Whether the service has used the folder before, or `nil` if this user can't determine it.
        var wasUsed: Bool? = false
        var isMarked: Bool?
        var isOnRootDisk = true
        /// Whether root runs the check, but systemd can't run the trial in the sandbox.
        var isRootOutside = false
        /// Whether the result is a warning instead of a fault.
        var isWarning = false
        /// Parts of the result's text, or an empty array if no problem is expected.
        var says: [String]
        /// A text that the result must not contain.
        var omits: String?
    }

    @Test(arguments: [
        Row(place: folder(nas), inside: done, says: []),
        Row(
            place: folder(nas), inside: .permissionDenied,
            says: [
                "destination 'nas': the service cannot write to /mnt/nas/photos",
                "sudo install -d -o framefast -g framefast /mnt/nas/photos",
            ]),
        // Each destination has its own drop-in.
        Row(
            place: folder("/data/nas"), inside: .readOnlyFileSystem,
            says: ["ReadWritePaths=-/data/nas", "framefastd.service.d/destination-nas.conf"]),
        Row(
            place: folder("/home/ann/Pictures"), inside: .permissionDenied,
            says: ["BindPaths=-/home/ann/Pictures", "framefastd.service.d/destination-nas.conf"]),
        Row(place: folder("/tmp/nas"), inside: done, says: ["destination 'nas': instead of /tmp/nas"]),
        // The disk is missing: its folder is on the disk of `/`, or has no mark.
        Row(
            place: folder(nas, mustBeMount: true), inside: .permissionDenied, isWarning: true,
            says: [
                "destination 'nas': the service cannot use /mnt/nas/photos now (/mnt/nas/photos: ",
                "Photos wait until the disk is mounted. Mount the disk, then run the check again.",
            ], omits: "sudo"),
        Row(
            place: folder(nas), inside: .permissionDenied, wasUsed: true, isMarked: false,
            isOnRootDisk: false, isWarning: true, says: ["Mount the disk"], omits: "sudo"),
        Row(
            place: folder(nas), inside: .permissionDenied, wasUsed: nil, isWarning: true,
            says: ["Mount the disk"], omits: "sudo"),
        // After the disk is mounted, the folder also needs a drop-in.
        Row(
            place: folder("/data/nas", mustBeMount: true), inside: .readOnlyFileSystem, isWarning: true,
            says: [
                "First mount the disk. The service cannot write to /data/nas until you run these commands",
                "sudo install -d -o framefast -g framefast /data/nas", "ReadWritePaths=-/data/nas",
            ], omits: "run the check again"),
        Row(
            place: folder("/data/nas", mustBeMount: true), isRootOutside: true, isWarning: true,
            says: ["First mount the disk. ", "ReadWritePaths=-/data/nas"]),
        // The disk is mounted, but the service has no permission.
        Row(
            place: folder(nas, mustBeMount: true), inside: .permissionDenied, isOnRootDisk: false,
            says: ["cannot write to /mnt/nas/photos", "sudo install -d -o framefast -g framefast"],
            omits: "ount the disk"),
        Row(
            place: folder(nas), inside: .permissionDenied, wasUsed: true, isMarked: true,
            says: ["cannot write to /mnt/nas/photos", "sudo install -d -o framefast -g framefast"],
            omits: "ount the disk"),
        Row(
            place: folder(nas), inside: .permissionDenied, wasUsed: true, isOnRootDisk: false,
            says: ["cannot write to /mnt/nas/photos", "sudo install -d -o framefast -g framefast"],
            omits: "ount the disk"),
        Row(place: file(key), inside: done, says: []),
        // Root can read the file, but the service can't.
        Row(
            place: file(key), inside: .permissionDenied,
            says: [
                "destination 'nas': the service cannot read /etc/framefast/nas key",
                "Run: sudo chgrp framefast '/etc/framefast/nas key' && sudo chmod 640 '/etc/framefast/nas key'",
            ]),
        // The sandbox hides the file.
        Row(
            place: file("/home/ann/nas_key"), inside: .permissionDenied,
            says: [
                "Set key_file to \"/etc/framefast/nas-nas_key\"",
                "Run: sudo install -m 640 -g framefast /home/ann/nas_key /etc/framefast/nas-nas_key",
            ]),
        Row(
            place: file("/tmp/nas_key"), inside: .noSuchFileOrDirectory,
            says: ["the service cannot read /tmp/nas_key", "sudo install -m 640 -g framefast /tmp/nas_key"]),
        // Neither permissions nor a copy help after a disk error.
        Row(
            place: file(key), inside: .ioError,
            says: [
                "the service cannot read /etc/framefast/nas key (/etc/framefast/nas key: ",
                "Check the disk that holds /etc/framefast/nas key: 'sudo dmesg' shows its errors.",
            ], omits: "Run: "),
        // Another check reports a missing file.
        Row(place: file(key), inside: .noSuchFileOrDirectory, outside: .noSuchFileOrDirectory, says: []),
        // Without root, only the permissions are known.
        Row(place: file(key), outside: .permissionDenied, says: ["sudo chgrp framefast"]),
        Row(
            place: file(key), outside: nil, isWarning: true,
            says: ["can use /etc/framefast/nas key", "run 'sudo framefastd --check-config'"]),
        Row(
            place: file("/home/ann/nas_key"), isWarning: true,
            says: ["can use /home/ann/nas_key", "run 'sudo framefastd --check-config'"]),
        Row(
            place: file("/tmp/nas_key"), isWarning: true,
            says: ["can use /tmp/nas_key", "run 'sudo framefastd --check-config'"]),
        // Root sees files that the sandbox hides from the service.
        Row(
            place: file("/home/ann/nas_key"), isRootOutside: true, isWarning: true,
            says: ["can use /home/ann/nas_key, because systemd did not run the check"], omits: "sudo"),
    ])
    func `reports a destination's folder or file that the service can't use`(row: Row) async throws {
        let missing = Errno.noSuchFileOrDirectory.rawValue
        let identity = FolderTrialResult(
            target: Self.identity, errno: row.wasUsed.map { $0 ? 0 : missing }, subject: Self.identity)
        @Sendable func output(_ arguments: [String], _ reason: Errno?) -> String {
            let result = FolderTrialResult(
                target: row.place.path, errno: reason?.rawValue, subject: row.place.path,
                isMarked: row.isMarked, isOnRootDisk: row.isOnRootDisk)
            return FolderCheckTests.output(arguments, [row.place.path: result, Self.identity: identity])
        }
        let check = try FolderCheckTests.check(
            places: [row.place], isRoot: row.isRootOutside || row.inside != nil, root: ScratchFolder()
        ) { program, arguments in
            switch program {
            case "/usr/bin/systemctl": "User=framefast\nProtectSystem=strict\n"
            case "/usr/bin/systemd-run" where row.isRootOutside: "Failed to connect to bus\n"
            case "/usr/bin/systemd-run": output(arguments, row.inside)
            default: output(arguments, row.outside)
            }
        }
        let found = await check.findings()
        let (expected, other) =
            row.isWarning ? (found.warnings, found.faults) : (found.faults, found.warnings)
        #expect(expected.count == (row.says.isEmpty ? 0 : 1) && other.isEmpty, "\(found)")
        for part in row.says { #expect(expected.first?.contains(part) == true, "\(part) in \(expected)") }
        if let text = row.omits { #expect(expected.first?.contains(text) == false, "\(expected)") }
    }

    @Test func `tests all folders and files in one process in the service's sandbox`() async throws {
        let places = [
            ServicePlace(path: "/srv/photos", use: .folder(.photos)), Self.folder(Self.nas),
            Self.file(Self.key),
        ]
        let calls = Mutex<[String: [[String]]]>([:])
        let check = try FolderCheckTests.check(places: places, root: ScratchFolder()) { program, arguments in
            calls.withLock { $0[program, default: []].append(arguments) }
            return program == "/usr/bin/systemctl"
                ? "User=framefast\n" : FolderCheckTests.output(arguments)
        }
        #expect(await check.findings() == FolderCheck.Findings())
        let runs = calls.withLock { $0["/usr/bin/systemd-run"] ?? [] }
        #expect(runs.count == 1)
        #expect(
            Array(runs.first?.suffix(6) ?? []) == [
                "--try-folder", "/srv/photos", "--try-folder", Self.nas, "--try-file", Self.key,
            ])
    }

    @Test func `skips the folders and files of destinations for a user service`() async throws {
        let check = try FolderCheckTests.check(
            places: [Self.folder(Self.nas), Self.file(Self.key)], isSystemService: false,
            root: ScratchFolder()
        ) { program, _ in
            Issue.record("\(program) was started")
            return nil
        }
        #expect(await check.findings() == FolderCheck.Findings())
    }

    @Test func `collects the folders and files of all destinations`() async throws {
        let text = """
            [[destination]]
            name = "nas"
            kind = "directory"
            path = "/mnt/nas/photos"
            mount = true
            [[destination]]
            name = "relative"
            kind = "directory"
            path = "~/backup"
            [[destination]]
            name = "ssh"
            kind = "sftp"
            host = "host"
            key_file = "/etc/framefast/key"
            known_hosts = "/etc/framefast/known_hosts"
            [[destination]]
            name = "cloud"
            kind = "webdav"
            url = "https://host/"
            user = "a"
            password_file = "credential:cloud"
            ca_file = "/etc/framefast/ca.pem"
            """
        let configuration = try await TemporaryDirectory.with { directory in
            let file = directory + "/framefast.toml"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return try Configuration.load(
                flags: ConfigurationFlags(configFile: file), environment: [:], isRoot: true,
                checkTemplate: { _ in nil })
        }
        let places = ServicePlace.all(in: configuration)
        #expect(
            places.prefix(3) == [
                ServicePlace(path: configuration.capture.directory, use: .folder(.photos)),
                ServicePlace(path: configuration.state.directory, use: .folder(.state)),
                ServicePlace(
                    path: Self.nas, use: .folder(.destination("nas")), destination: "nas", mustBeMount: true,
                    identity: DirectoryDestination.identityPath(
                        of: "nas", stateDirectory: configuration.state.directory)),
            ])
        #expect(
            Set(places.dropFirst(3)) == [
                ServicePlace(
                    path: "/etc/framefast/key", use: .file(key: "key_file"), destination: "ssh"),
                ServicePlace(
                    path: "/etc/framefast/known_hosts", use: .file(key: "known_hosts"), destination: "ssh"),
                ServicePlace(
                    path: "/etc/framefast/ca.pem", use: .file(key: "ca_file"), destination: "cloud"),
            ])
    }

    @Test func `an identity file in a closed folder does not count as missing`() async throws {
        try await TemporaryDirectory.with { state in
            let identity = DirectoryDestination.identityPath(of: "nas", stateDirectory: state)
            let trial = FolderTrial(observer: .service)
            #expect(trial.test(file: identity).isMissing)
            try FileManager.default.createDirectory(
                atPath: DurableFile.parent(of: identity), withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: identity))
            #expect(!trial.test(file: identity).isMissing)
            // The user can't determine whether the file exists. Root can search every folder.
            try FileManager.default.removeItem(atPath: identity)
            #expect(chmod(state, 0) == 0)
            defer { chmod(state, 0o700) }
            #expect(trial.test(file: identity).isMissing == (geteuid() == 0))
        }
    }

    @Test(arguments: ["~/backup", "missing-folder", ""])
    func `a folder trial of a relative path reports a missing folder`(path: String) {
        let result = FolderTrial(observer: .service).test(path)
        #expect(result.errno == Errno.noSuchFileOrDirectory.rawValue)
    }

    @Test func `a file trial finds a file that the service's user can't read`() throws {
        let folder = try ScratchFolder()
        let (path, closed) = (folder.path("key"), folder.path("closed"))
        try Data("secret\n".utf8).write(to: URL(filePath: path))
        let own = FolderTrial(observer: .service)
        let other = FolderTrial(observer: .otherUser(54_321, groups: []))
        #expect(chmod(folder.url.path, 0o755) == 0 && chmod(path, 0o600) == 0)
        #expect(own.test(file: path).errno == 0)
        #expect(own.test(file: folder.path("none")).errno == Errno.noSuchFileOrDirectory.rawValue)
        #expect(other.test(file: path).errno == Errno.permissionDenied.rawValue)
        #expect(other.test(file: folder.path("none")).errno == Errno.noSuchFileOrDirectory.rawValue)
        #expect(chmod(path, 0o644) == 0)
        #expect(other.test(file: path).errno == 0)
        // A readable file in a folder that the user can't search.
        try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
        try Data("secret\n".utf8).write(to: URL(filePath: closed + "/key"))
        #expect(chmod(closed, 0o700) == 0 && chmod(closed + "/key", 0o644) == 0)
        let behind = other.test(file: closed + "/key")
        #expect(behind.errno == Errno.permissionDenied.rawValue)
        #expect(behind.subject == closed && behind.isClosed)
    }
}
