import Foundation
import SurfaceTestSupport
import TestRig
import Testing

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

/// Tests of the units in `systemd/` with systemd's own tools.
@Suite struct UnitTests {
    private static let analyze = URL(filePath: "/usr/bin/systemd-analyze")
    private static let service = DocumentFile("systemd/framefastd.service")
    private static let userService = DocumentFile("systemd/user/framefastd.service")

    /// Returns the lines `Key=value` of a unit, without comments.
    private static func settings(of unit: DocumentFile) throws -> [(key: String, value: String)] {
        try unit.text().split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.isEmpty || line.hasPrefix("[")
                ? nil : (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }

    /// Writes a unit to a folder, with the built program instead of the installed program, and returns the
    /// path of the unit.
    private static func installed(_ unit: DocumentFile, in folder: ScratchFolder) throws -> String {
        let text = try unit.text().replacing("/usr/bin/framefastd", with: Programs.path("framefastd").path)
        let path = folder.path("framefastd.service")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(.programs(1)) func `systemd-analyze rates the service's exposure at 2.0 or less`() async throws {
        let folder = try ScratchFolder()
        let unit = try Self.installed(Self.service, in: folder)
        let (status, output) = try await RunningProgram.run(
            Self.analyze, ["security", "--offline=true", "--threshold=20", "--no-pager", unit], in: folder)
        #expect(status == 0, "\(output)")
        #expect(output.contains("Overall exposure level for framefastd.service: 1."), "\(output)")
    }

    @Test(
        .programs(1), arguments: [(service.path, ["--man=no"]), (userService.path, ["--man=no", "--user"])])
    func `systemd-analyze verify finds no problem in a unit`(unit: String, options: [String]) async throws {
        let folder = try ScratchFolder()
        let path = try Self.installed(DocumentFile(unit), in: folder)
        let (status, output) = try await RunningProgram.run(
            Self.analyze, ["verify"] + options + [path], in: folder,
            environment: ["XDG_RUNTIME_DIR": folder.url.path])
        #expect(status == 0, "\(output)")
        #expect(!output.contains("framefastd.service"), "\(output)")
    }

    @Test func `the unit and the daemon list the same writable folders`() throws {
        let settings = try Self.settings(of: Self.service)
        let paths = settings.filter { $0.key == "ReadWritePaths" }
            .flatMap { $0.value.split(separator: " ").map { $0.drop { $0 == "-" } } }.map(String.init)
        let state = settings.filter { $0.key == "StateDirectory" }.map { "/var/lib/\($0.value)" }
        #expect(Set(paths + state) == Set(ServiceSandbox.writable))
        #expect(settings.contains { $0 == ("ProtectSystem", "strict") })
        #expect(settings.contains { $0 == ("ProtectHome", "yes") })
        #expect(settings.contains { $0 == ("PrivateTmp", "yes") } && ServiceSandbox.isTemporary("/tmp/a"))
    }

    @Test(arguments: [
        // Settings that USB hotplug needs. Tests in a booted system failed if one of these settings was
        // missing.
        ("SupplementaryGroups", "plugdev"), ("DeviceAllow", "char-usb_device rw"),
        ("RestrictAddressFamilies", "AF_UNIX AF_INET AF_INET6 AF_NETLINK"),
        ("SystemCallErrorNumber", "EPERM"),
        // Without usbcore, DeviceAllow= does not match USB devices, and no camera opens after a boot.
        ("Wants", "modprobe@usbcore.service"), ("After", "modprobe@usbcore.service"),
        // PrivateUsers maps this group because it is the unit's own group. Other groups are not mapped.
        ("Group", "framefast"), ("PrivateUsers", "yes"),
        // Settings for a reliable service.
        ("Type", "notify"), ("KillMode", "control-group"), ("OOMPolicy", "continue"),
        // Ledger and photos may be on their own disk. Without this line, a service that starts before the
        // mount would create a new ledger and new folders below the mount point.
        ("RequiresMountsFor", "/var/lib/framefast"),
        ("RestartPreventExitStatus", "\(ConfigurationErrors.exitStatus)"),
    ])
    func `the unit contains each required line`(key: String, value: String) throws {
        #expect(try Self.settings(of: Self.service).contains { $0 == (key, value) })
    }

    /// `RequiresMountsFor=` and `Requires=` stop the service when a disk is unplugged (systemd.unit(5), and
    /// `StopPropagatedFrom=` of mount units in systemd.mount(5)). The service must run and report the missing
    /// disk.
    @Test(arguments: DocumentedCommandTests.documents + ["packaging/walkthrough"])
    func `no documented drop-in stops the service when a disk is unplugged`(document: String) throws {
        let lines = try DocumentFile(document).text().split(separator: "\n")
        for line in lines where line.contains("framefastd.service.d/") {
            #expect(!line.contains("Requires"), "\(document): \(line)")
        }
    }

    /// systemd uses three minutes for its services, because disks stalled for more than a minute
    /// (systemd#1353, PR #1408).
    @Test(arguments: [service.path, userService.path])
    func `a slow disk does not trigger the watchdog`(unit: String) throws {
        #expect(try Self.settings(of: DocumentFile(unit)).contains { $0 == ("WatchdogSec", "3min") })
    }

    @Test func `no line of the unit hides USB devices or their events`() throws {
        let settings = try Self.settings(of: Self.service)
        #expect(!settings.contains { ["PrivateDevices", "PrivateNetwork"].contains($0.key) })
    }

    /// Returns the calls in one of systemd's sets, or the call itself if the name is not a set.
    private func calls(_ name: String, in folder: ScratchFolder) async throws -> Set<String> {
        guard name.hasPrefix("@") else { return [name] }
        let (_, output) = try await RunningProgram.run(
            Self.analyze, ["syscall-filter", "--no-pager", name], in: folder)
        var found: Set<String> = []
        for line in output.split(separator: "\n").dropFirst() {
            let word = line.drop { $0 == " " }
            if !word.hasPrefix("#") { found.formUnion(try await calls(String(word), in: folder)) }
        }
        return found
    }

    /// Returns the system calls that do not fail in the unit: calls that its filter allows, and calls that
    /// its filter skips with the result 0.
    private func permitted(by unit: DocumentFile, in folder: ScratchFolder) async throws -> Set<String> {
        var permitted: Set<String> = []
        for (_, value) in try Self.settings(of: unit).filter({ $0.key == "SystemCallFilter" }) {
            let isRefused = value.hasPrefix("~")
            for word in value.drop(while: { $0 == "~" }).split(separator: " ") {
                let parts = word.split(separator: ":")
                let calls = try await calls(String(parts[0]), in: folder)
                if isRefused, parts.last != "0" {
                    permitted.subtract(calls)
                } else {
                    permitted.formUnion(calls)
                }
            }
        }
        return permitted
    }

    /// Regression test: setpriv exited when the unit's filter refused its capset call. The system service
    /// could then open no camera.
    @Test(
        .programs(3),
        .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"),
        arguments: [service.path, userService.path])
    func `the worker launcher makes no system call that the unit refuses`(unit: String) async throws {
        let folder = try ScratchFolder()
        let trace = folder.path("calls")
        let (status, output) = try await RunningProgram.run(
            URL(filePath: "/usr/bin/strace"),
            ["-o", trace, "/usr/bin/setpriv", "--pdeathsig", "KILL", "--", "/bin/true"], in: folder)
        #expect(status == 0, "\(output)")
        let made = Set(
            try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map {
                String($0.prefix { $0 != "(" })
            }.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
        #expect(made.isSuperset(of: ["execve", "prctl"]))
        #expect(made.subtracting(try await permitted(by: DocumentFile(unit), in: folder)) == [])
    }
}
