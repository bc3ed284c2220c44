import ChildProcesses
import Foundation
import FrameFastSystem
import Glibc
import SettingKeys
import SurfaceTestSupport
import SystemPackage
import TestRig
import Testing

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

/// Tests of the service's folders, as a system service and as a user service.
@Suite(.programs(1)) struct ServiceFolderTests {
    /// Returns the configuration of a service whose unit sets these variables, without a configuration file.
    private static func configuration(_ environment: [String: String]) throws -> Configuration {
        let environment = environment.merging(["CONFIGURATION_DIRECTORY": "/nowhere"]) { own, _ in own }
        return try Configuration.load(environment: environment, isRoot: false)
    }

    @Test func `a system service uses the folders of its unit`() throws {
        let configuration = try Self.configuration(["STATE_DIRECTORY": "/var/lib/framefast"])
        #expect(configuration.state.directory == "/var/lib/framefast")
        #expect(configuration.capture.directory == "/var/lib/framefast/captures")
        #expect(configuration.api.socket == "/run/framefast/framefast.sock")
    }

    @Test func `a user service saves photos in Pictures`() throws {
        let environment = [
            "STATE_DIRECTORY": "/home/ann/.local/state/framefast", "XDG_RUNTIME_DIR": "/run/user/1000",
            "HOME": "/home/ann", "CONFIGURATION_DIRECTORY": "/home/ann/.config/framefast",
        ]
        let configuration = try Self.configuration(environment)
        #expect(configuration.state.directory == "/home/ann/.local/state/framefast")
        #expect(configuration.capture.directory == "/home/ann/Pictures/FrameFast")
        #expect(configuration.api.socket == "/run/user/1000/framefast/framefast.sock")
        let file = ConfigurationLayer.defaultFile(environment: environment)
        #expect(file == "/home/ann/.config/framefast/framefast.toml")
        #expect(ConfigurationLayer.defaultFile(environment: [:]) == "/etc/framefast/framefast.toml")
    }

    @Test(arguments: [
        ("/srv/photos", []), ("/mnt/nas", []), ("/media/disk", []), ("/var/lib/framefast/captures", []),
        ("/srvx", ["[Service]", "ReadWritePaths=-/srvx"]),
        ("/data/100% mine", ["[Service]", "ReadWritePaths=\"-/data/100%% mine\""]),
        ("/home/ann/Pictures", ["[Service]", "ProtectHome=tmpfs", "BindPaths=-/home/ann/Pictures"]),
    ])
    func `suggests drop-in lines for a folder outside the sandbox`(folder: String, lines: [String]) {
        #expect(ServiceSandbox().lines(for: folder) == lines)
        let commands = ServiceSandbox().commands(for: folder)
        #expect(commands.first?.hasPrefix("sudo install -d -o framefast -g framefast ") == true)
        #expect(commands.last == "sudo systemctl restart framefastd")
        #expect(commands.contains { $0.contains("photos.conf") } == !lines.isEmpty)
    }

    @Test func `the commands write the drop-in for any folder name`() async throws {
        let folder = "/data/it's 100% mine"
        let command = try #require(ServiceSandbox().commands(for: folder).first { $0.contains("| sudo tee") })
        let printing = try #require(command.components(separatedBy: " | ").first)
        let written = try Self.output(ofShell: printing)
        #expect(written == ServiceSandbox().lines(for: folder).joined(separator: "\n") + "\n")
    }

    @Test func `advises a drop-in until the folder is allowed`() async throws {
        try await TemporaryDirectory.with { root in
            let sandbox = ServiceSandbox(root: root)
            // Without a system service, the result has no advice.
            #expect(sandbox.advice(for: "/data/photos") == nil)
            try Self.write("", root + "/lib/systemd/system/framefastd.service")
            #expect(sandbox.advice(for: "/srv/photos") == nil)
            let advice = try #require(sandbox.advice(for: "/data/photos"))
            #expect(advice.contains("'[Service]' ReadWritePaths=-/data/photos | sudo tee"))
            try Self.write(
                "[Service]\nReadWritePaths=-/data\n", root + ServiceSandbox.dropInFolder + "/a.conf")
            #expect(sandbox.advice(for: "/data/photos") == nil)
            #expect(sandbox.advice(for: "/other") != nil)
            let own = sandbox.lines(for: "/my photos").joined(separator: "\n")
            try Self.write(own + "\n", root + ServiceSandbox.dropInFolder + "/b.conf")
            #expect(sandbox.advice(for: "/my photos") == nil)
        }
    }

    @Test(arguments: [
        (Errno.readOnlyFileSystem, "/data/photos", "ReadWritePaths=-/data/photos"),
        (.permissionDenied, "/srv/photos", "sudo install -d -o framefast -g framefast /srv/photos"),
        (.permissionDenied, "/home/ann/Pictures", "BindPaths=-/home/ann/Pictures"),
        (.readOnlyFileSystem, "/mnt/disk", "mount the disk read-write"),
        (.readOnlyFileSystem, "/mnt/disk", "'sudo dmesg' shows errors of the disk"),
        (.ioError, "/mnt/disk", "'sudo dmesg' shows its errors. FrameFast then continues automatically."),
        (.staleNFSFileHandle, "/mnt/nas", "noserverino. FrameFast then continues automatically."),
        (.noLocks, "/mnt/nas", "nolock (NFS 3) or nobrl (SMB). FrameFast then continues automatically."),
    ])
    func `suggests commands if photos cannot be written`(reason: Errno, path: String, step: String) {
        let advice = CaptureFolderAdvice(path, reason, subject: path, isSystemService: true)
        #expect(advice.text?.contains(step) == true)
        let byHand = CaptureFolderAdvice(path, reason, subject: path, isSystemService: false)
        #expect(byHand.text?.contains("systemctl") == false)
    }

    /// `/mnt/ssd` is a FAT disk, on which chown(1) and setfacl(1) fail.
    @Test(arguments: ["/mnt/ssd", nil] as [String?])
    func `suggests mount options on a file system without owners`(closed: String?) {
        func step(_ reason: Errno, isSystemService: Bool) -> String? {
            CaptureFolderAdvice(
                "/mnt/ssd/photos", reason, subject: "/mnt/ssd/photos", closed: closed,
                isSystemService: isSystemService, lacksOwners: { $0.hasPrefix("/mnt/ssd") }
            ).text
        }
        let system = step(.permissionDenied, isSystemService: true)
        let place = closed ?? "/mnt/ssd/photos"
        #expect(system?.hasPrefix("The file system of \(place) stores no owners.") == true)
        #expect(system?.contains("the options uid=framefast,gid=framefast") == true)
        #expect(system?.hasSuffix(". FrameFast then continues automatically.") == true)
        #expect(step(.permissionDenied, isSystemService: false)?.contains("uid=") == true)
        let readOnly = step(.readOnlyFileSystem, isSystemService: true)
        #expect(readOnly?.contains("mount the disk read-write") == true)
    }

    @Test func `finds a credential by its name, with or without systemd's folder prefix`() async throws {
        try await TemporaryDirectory.with { folder in
            let environment = ["CREDENTIALS_DIRECTORY": folder]
            try Self.write("of the folder\n", folder + "/framefast_nas")
            #expect(try SecretFile.read("credential:nas", environment: environment) == "of the folder")
            try Self.write("of its own\n", folder + "/nas")
            #expect(try SecretFile.read("credential:nas", environment: environment) == "of its own")
            #expect(throws: SecretFileError.self) {
                try SecretFile.read("credential:other", environment: environment)
            }
        }
    }

    /// The arguments are the mode and group of a secret file, and whether the file is accepted. Group `nil`
    /// is the group of this process, and the service's group is 900.
    @Test(
        .enabled(if: geteuid() == 0, "only root can change the owner of a file"),
        arguments: [
            (0o600, nil, true), (0o400, nil, true), (0o640, nil, true), (0o640, 0, true), (0o440, 900, true),
            (0o644, nil, false), (0o604, nil, false), (0o602, nil, false), (0o606, 0, false),
            (0o644, 900, false),
            (0o640, 12_345, false), (0o620, 12_345, false), (0o600, 12_345, true),
        ] as [(Int, gid_t?, Bool)])
    func `refuses a secret that other users can access, and suggests a command`(
        mode: Int, group: gid_t?, isSecret: Bool
    ) async throws {
        try await TemporaryDirectory.with { folder in
            let path = folder + "/nas password"
            try Self.write("secret\n", path)
            for (owner, command) in [
                (12_345 as uid_t, "sudo chmod 600 '\(path)'"),
                (0, "sudo chgrp framefast '\(path)' && sudo chmod 640 '\(path)'"),
            ] {
                try #require(chown(path, owner, group ?? getegid()) == 0)
                try #require(chmod(path, mode_t(mode)) == 0)
                if isSecret {
                    #expect(throws: Never.self) { try SecretFile.check(path, serviceGroup: 900) }
                } else {
                    #expect(throws: SecretFileError.exposed(path, command)) {
                        try SecretFile.check(path, serviceGroup: 900)
                    }
                }
            }
        }
    }

    @Test func `suggests chmod for the user's own exposed secret`() async throws {
        try await TemporaryDirectory.with { folder in
            let path = folder + "/nas"
            try Self.write("secret\n", path)
            try #require(chmod(path, 0o644) == 0)
            #expect(throws: SecretFileError.exposed(path, "chmod 600 \(path)")) {
                try SecretFile.check(path, serviceGroup: nil)
            }
            #expect(throws: SecretFileError.self) { try SecretFile.read(path) }
            try #require(chmod(path, 0o600) == 0)
            #expect(try SecretFile.read(path) == "secret")
        }
    }

    /// If the tests run as root, the trial runs as user 65534, because root can write everywhere.
    @Test func `a folder trial finds read-only and unsearchable folders`() throws {
        let folder = try ScratchFolder()
        let closed = folder.path("closed")
        try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
        #expect(chmod(folder.url.path, 0o755) == 0)
        let nobody = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
        func result(for path: String) throws -> FolderTrialResult {
            let trial = "\(Programs.path("framefastd").path) --try-folder '\(folder.path(path))'"
            let output = try Self.output(ofShell: "STATE_DIRECTORY=/nowhere " + nobody + trial)
            let results: [FolderTrialResult?]? = CheckProcess.results(in: output, count: 1)
            return try #require(results?.first ?? nil)
        }
        #expect(chmod(closed, 0o555) == 0)
        let unwritable = try result(for: "closed/new")
        #expect(unwritable.errno == Errno.permissionDenied.rawValue)
        #expect(unwritable.subject == closed && !unwritable.isClosed)
        #expect(chmod(closed, 0o600) == 0)
        let behind = try result(for: "closed/disk/photos")
        #expect(behind.errno == Errno.permissionDenied.rawValue)
        #expect(behind.subject == closed && behind.isClosed)
    }

    @Test func `returns the partial output of a hanging check process`() async throws {
        let hangs = await CheckProcess.output(
            of: "/bin/sleep", ["1000"], timeout: .milliseconds(1), clock: .system)
        #expect(hangs == nil)
        let ends = await CheckProcess.output(
            of: "/bin/echo", ["words"], timeout: CheckProcess.timeout, clock: .system)
        #expect(ends == "words\n")
        let clock = VirtualClock()
        try await TemporaryDirectory.with { folder in
            let script = "echo words; : > \(folder)/printed; exec sleep 1000"
            async let output = CheckProcess.output(
                of: "/bin/sh", ["-c", script], timeout: CheckProcess.timeout, clock: clock.hostClock)
            await clock.hasSleeper()
            try await eventually("the program to print") {
                FileManager.default.fileExists(atPath: folder + "/printed") ? true : nil
            }
            clock.advance(by: CheckProcess.timeout)
            let text = await output
            #expect(text == "words\n")
        }
    }

    /// strace delays each access to the file, as a dead network mount does.
    @Test func `checks the other parts of a configuration while a secret file hangs`() async throws {
        try await TemporaryDirectory.with { folder in
            let (secret, file) = (folder + "/secret", folder + "/framefast.toml")
            try Self.write("words", secret)
            #expect(chmod(secret, 0o600) == 0)
            try Self.write(
                """
                [[destination]]
                name = "dav"
                kind = "webdav"
                url = "https://host/"
                user = "a"
                password_file = "\(secret)"
                [[hook]]
                name = "lamp"
                on = "saved"
                command = ["/nowhere/lamp"]
                """, file)
            let output = try ChildOutput(bytesMax: 64 * 1_024)
            let child = try await ChildProcess.start(
                .init(
                    program: "/usr/bin/strace",
                    arguments: [
                        "-f", "-o", folder + "/trace", "-P", secret,
                        "-e", "inject=stat,newfstatat,openat:delay_enter=600s",
                        Programs.path("framefastd").path, "--config", file, PartCheck.option,
                    ],
                    environment: ProcessInfo.processInfo.environment, output: output.childEnd,
                    error: output.childEnd))
            defer { child.signal(SIGKILL) }
            let faults = try await eventually("the fault of the hook: \(output.text)") {
                let results: [[CheckedPart.Fault]?]? = CheckProcess.results(in: output.text, count: 2)
                return results?.last ?? nil
            }
            #expect(faults.map(\.reason) == ["program /nowhere/lamp does not exist"])
            let results: [[CheckedPart.Fault]?]? = CheckProcess.results(in: output.text, count: 2)
            #expect(results == [nil, faults])
            #expect(child.isAlive)
        }
    }

    private static func write(_ text: String, _ path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private static func output(ofShell line: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
