import Dispatch
import Foundation
import FrameFastModel
import FrameFastSystem
import SurfaceTestSupport
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

/// Tests that `--check-config` reports an unresponsive folder or file, together with all other findings.
@Suite(.blocking) struct UnresponsivePlaceTests {
    private static let nas = "/mnt/nas/photos"
    private static let key = "/mnt/keys/nas_key"
    private static let identity = "/var/lib/framefast/destinations/nas.folder"

    private static let places = [
        ServicePlace(path: "/srv/photos", use: .folder(.photos)),
        ServicePlace(path: "/srv/state", use: .folder(.state)),
        ServicePlace(
            path: nas, use: .folder(.destination("nas")), destination: "nas", identity: identity),
        ServicePlace(path: key, use: .file(key: "key_file"), destination: "ssh"),
    ]

    /// Returns the output of a test process in which the service can't write to `/srv/state`.
    private static func output(_ arguments: [String], hanging: Set<String> = []) -> String {
        let state = FolderTrialResult(
            target: "/srv/state", errno: Errno.permissionDenied.rawValue, subject: "/srv/state")
        return FolderCheckTests.output(arguments, ["/srv/state": state], hanging: hanging)
    }

    /// Returns the paths that a process tests.
    private static func paths(in arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst()).filter { $0.0.hasPrefix("--try-") }.map(\.1)
    }

    @Test func `a hanging check does not discard the results of other checks`() async throws {
        let release = DispatchSemaphore(value: 0)
        let checks: [@Sendable () -> Int] = [
            {
                release.wait()
                return 1
            }, { 2 },
        ]
        var lines: [String] = []
        try await CheckProcess.runChecks(checks) { line in
            lines.append(line)
            if line.contains("2") { release.signal() }
        }
        #expect(lines == ["[null,null]", "[null,2]", "[1,2]"])
    }

    @Test func `finds the newest results among other output`() throws {
        let results = [FolderTrialResult(target: "/a\nb \"c\"", errno: nil, subject: "/"), nil]
        let output = try "[null,null]\nwarning: x\n\(CheckProcess.line(results))\n[nul"
        let newest: [FolderTrialResult?]? = CheckProcess.results(in: output, count: 2)
        #expect(newest == results)
        let others: [[FolderTrialResult?]?] = [
            CheckProcess.results(in: output, count: 3),
            CheckProcess.results(in: "Failed to start transient service unit.\n", count: 1),
        ]
        #expect(others.allSatisfy { $0 == nil })
    }

    @Test(arguments: [true, false])
    func `a hanging folder does not discard the findings about other places`(isInSandbox: Bool) async throws {
        let tested = Mutex<[String]>([])
        let check = try FolderCheckTests.check(places: Self.places, root: ScratchFolder()) {
            program, arguments in
            guard program != "/usr/bin/systemctl" else { return "User=framefast\n" }
            let isInside = program == "/usr/bin/systemd-run"
            if isInside { tested.withLock { $0 = Self.paths(in: arguments) } }
            return Self.output(arguments, hanging: isInside == isInSandbox ? ["/srv/photos"] : [])
        }
        let found = await check.findings()
        #expect(found.faults.count == 2 && found.warnings.isEmpty, "\(found)")
        #expect(found.faults.first?.hasPrefix("/srv/photos does not respond. ") == true)
        #expect(found.faults.first?.contains("mount the share again") == true)
        #expect(found.faults.last?.contains("cannot write to /srv/state") == true)
        #expect(found.unresponsivePaths == ["/srv/photos"])
        #expect(tested.withLock { $0.contains("/srv/photos") } == isInSandbox)
    }

    @Test func `a hanging destination folder is a warning, a hanging file a fault`() async throws {
        let check = try FolderCheckTests.check(places: Self.places, root: ScratchFolder()) {
            program, arguments in
            program == "/usr/bin/systemctl"
                ? "User=framefast\n" : Self.output(arguments, hanging: [Self.nas, Self.key])
        }
        let found = await check.findings()
        #expect(found.faults.count == 2 && found.warnings.count == 1, "\(found)")
        #expect(found.faults.contains { $0.hasPrefix("destination 'ssh': \(Self.key) does not respond") })
        #expect(found.warnings.first?.hasPrefix("destination 'nas': \(Self.nas) does not respond") == true)
    }

    @Test func `names the folder of destinations in the state directory if it hangs`() async throws {
        let missing = FolderTrialResult(
            target: Self.nas, errno: Errno.noSuchFileOrDirectory.rawValue, subject: Self.nas,
            isOnRootDisk: true)
        let check = try FolderCheckTests.check(places: Self.places, root: ScratchFolder()) {
            program, arguments in
            program == "/usr/bin/systemctl"
                ? "User=framefast\n"
                : FolderCheckTests.output(arguments, [Self.nas: missing], hanging: [Self.identity])
        }
        let found = await check.findings()
        #expect(found.faults.count == 1 && found.warnings.count == 1, "\(found)")
        #expect(found.faults.first?.hasPrefix("/var/lib/framefast/destinations does not respond") == true)
        // The identity file is unreadable, so the service may have used the destination's folder before.
        #expect(found.warnings.first?.contains("Mount the disk, then run the check again.") == true)
    }

    /// The arguments are the folders that hang outside of the sandbox, and the expected beginnings of the
    /// faults.
    @Test(
        arguments: [
            ([], ["/srv/photos or /srv/state does not respond", "the service cannot write to /srv/state"]),
            (["/srv/photos"], ["/srv/photos does not respond", "the service cannot write to /srv/state"]),
        ] as [(Set<String>, [String])])
    func `checks outside of the sandbox if systemd does not respond`(
        hanging: Set<String>, starts: [String]
    ) async throws {
        let places = Array(Self.places.prefix(2))
        let check = try FolderCheckTests.check(places: places, root: ScratchFolder()) { program, arguments in
            switch program {
            case "/usr/bin/systemctl": "User=framefast\n"
            case "/usr/bin/systemd-run": nil
            default: Self.output(arguments, hanging: hanging)
            }
        }
        let found = await check.findings()
        #expect(found.faults.count == starts.count, "\(found)")
        for (fault, start) in zip(found.faults, starts) { #expect(fault.hasPrefix(start), "\(fault)") }
        #expect(found.warnings.count == 1)
        #expect(found.warnings.first?.contains("systemd did not run the check") == true)
    }

    @Test func `ignores folders in the state directory before the first start`() async throws {
        let folder = try ScratchFolder()
        let state = folder.path("var/lib/framefast")
        let missing = FolderTrialResult(
            target: state, errno: Errno.noSuchFileOrDirectory.rawValue, subject: state)
        let refused = FolderTrialResult(
            target: "/var", errno: Errno.permissionDenied.rawValue, subject: "/var")
        let place = ServicePlace(path: "/var/lib/framefast/captures", use: .folder(.photos))
        let check = try FolderCheckTests.check(places: [place], root: folder) { _, arguments in
            FolderCheckTests.output(arguments, [state: missing, place.path: refused])
        }
        #expect(await check.findings() == FolderCheck.Findings())
    }

    // MARK: The parts of the configuration

    /// Returns a configuration with a destination and a hook.
    private static func configuration() async throws -> Configuration {
        let text = """
            [[destination]]
            name = "dav"
            kind = "webdav"
            url = "https://host/"
            user = "a"
            password_file = "/mnt/dead/secret"
            [[hook]]
            name = "lamp"
            on = "saved"
            command = ["/nowhere/lamp"]
            """
        return try await TemporaryDirectory.with { folder in
            let file = folder + "/framefast.toml"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return try Configuration.load(flags: .init(configFile: file), environment: [:])
        }
    }

    private static func check(
        _ configuration: Configuration, _ run: @escaping CheckProcess.Run
    ) -> PartCheck {
        PartCheck(
            parts: configuration.checkedParts(isByHand: true), source: "defaults",
            program: "/usr/bin/framefastd", options: [], run: run)
    }

    @Test func `a destination's hanging file does not hide faults of hooks`() async throws {
        let configuration = try await Self.configuration()
        let hook = try #require(configuration.checkedParts(isByHand: true).last).findFaults()
        let output = try CheckProcess.line([nil, hook])
        let check = Self.check(configuration) { program, arguments in
            #expect(program == "/usr/bin/framefastd" && arguments == ["--try-parts"])
            return output
        }
        let results = await check.results()
        let errors = check.errors(results, reported: [])
        #expect(errors.map(\.line) == [1, 10])
        #expect(
            errors.first?.message.hasPrefix("destination 'dav': /mnt/dead/secret does not respond") == true)
        #expect(errors.last?.message == "hook 'lamp': program /nowhere/lamp does not exist")
        // A file that the check of folders and files has reported is not reported again.
        #expect(check.errors(results, reported: ["/mnt/dead/secret"]).map(\.line) == [10])
    }

    /// The second output comes from a process that read another configuration.
    @Test(arguments: ["cannot start /usr/bin/framefastd", "[null]\n"])
    func `checks the parts in this process if the other process returns nothing`(output: String) async throws
    {
        let check = Self.check(try await Self.configuration()) { _, _ in output }
        let errors = check.errors(await check.results(), reported: [])
        #expect(errors.count == 2)
        #expect(errors.last?.message == "hook 'lamp': program /nowhere/lamp does not exist")
    }

    @Test func `reports that parts of the configuration could not be checked`() async throws {
        let check = Self.check(try await Self.configuration()) { _, _ in nil }
        let errors = check.errors(await check.results(), reported: [])
        #expect(
            errors.map(\.description) == [
                "defaults: cannot check the destinations, the hooks and 'upload.metered_command': "
                    + "run 'framefastd --check-config' again"
            ])
    }
}
