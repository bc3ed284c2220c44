import Foundation
import Glibc
import Repository
import TestRig

/// A runner of `udevadm test` on the USB bed. The project's rules replace the rules in `/etc/udev/rules.d`.
///
/// The rules are mounted over `/etc/udev/rules.d` in a mount namespace that ends with the command.
final class UdevRules {
    /// The reason why the rules can't be tested on this system, or `nil` if they can.
    static let obstacle: String? = {
        if let obstacle = USBBed.obstacle { return obstacle }
        if geteuid() != 0 { return "mounting rules where udevadm reads them needs root" }
        if !FileManager.default.isExecutableFile(atPath: udevadm) {
            return "udevadm is not installed: apt-get install udev"
        }
        let check = Process()
        check.executableURL = URL(filePath: "/usr/bin/unshare")
        check.arguments = ["-m", "mount", "-t", "tmpfs", "none", "/run"]
        check.standardError = FileHandle.nullDevice
        do { try check.run() } catch { return "unshare does not run: \(error)" }
        check.waitUntilExit()
        return check.terminationStatus == 0 ? nil : "mounting is not allowed here"
    }()

    /// The number of the group `framefast` during the test.
    static let groupID = 64_321
    private static let udevadm = "/usr/bin/udevadm"

    /// The result of applying the rules.
    struct Run {
        var output: String
        /// The device's power control setting after the rules were applied.
        var powerControl: String?

        /// The lines of the form `NAME=value` at the end of the output.
        var properties: [String: String] {
            var properties: [String: String] = [:]
            for line in output.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" })
                else { continue }
                properties[String(parts[0])] = String(parts[1])
            }
            return properties
        }

        var tags: Set<String> {
            Set((properties["TAGS"] ?? "").split(separator: ":").map(String.init))
        }

        /// Returns the last `MODE` or `GROUP` that any rule set.
        func last(_ key: String) -> String? {
            output.split(separator: "\n").last { $0.contains(".rules:") && $0.contains(" \(key) ") }
                .flatMap { $0.split(separator: " ").last.map(String.init) }
        }

        /// udev's warnings about the project's rules: `/etc/udev/rules.d/60-framefast.rules:12 Invalid …`.
        var warnings: [String] {
            output.split(separator: "\n").filter { $0.hasPrefix("/etc/udev/rules.d/") }.map(String.init)
        }
    }

    let haveLibgphoto2: Bool
    private let folder: ScratchFolder
    private let bed: USBBed

    init(_ names: [String]) async throws {
        folder = try ScratchFolder()
        bed = try await USBBed(folder)
        let rules = folder.url.appending(path: "rules.d")
        try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.copyItem(
                at: Self.source(name), to: rules.appending(path: "\(name).rules"))
        }
        let groups =
            try String(contentsOfFile: "/etc/group", encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("framefast:") } + ["framefast:x:\(Self.groupID):"]
        try (groups.joined(separator: "\n") + "\n").write(
            toFile: folder.path("group"), atomically: true, encoding: .utf8)
        haveLibgphoto2 = ["/usr/lib", "/lib"].contains {
            FileManager.default.fileExists(atPath: "\($0)/udev/rules.d/60-libgphoto2-6.rules")
        }
    }

    static func source(_ name: String) -> URL {
        Repository.file("udev/\(name).rules")
    }

    /// Plugs in a device and applies the rules to it, or to the node at `path` below its first interface.
    func test(_ device: USBBedDevice, action: String = "add", path: String? = nil) async throws -> Run {
        try bed.plug(device, at: "1-1")
        let place = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
        let script = """
            set -e
            mount -t tmpfs none /run
            mount --bind '\(folder.path("rules.d"))' /etc/udev/rules.d
            mount --bind '\(folder.path("group"))' /etc/group
            cd '\(bed.root)'
            device=$(echo .\(place)\(path.map { "/1-1:1.0/" + $0 } ?? ""))
            exec "$@" "${device#.}"
            """
        let run = try await RunningProgram.run(
            URL(filePath: "/usr/bin/unshare"),
            ["-m", "sh", "-c", script, "sh"] + bed.wrapper + [Self.udevadm, "test", "-a", action], in: folder)
        guard run.status == 0 else { throw WaitTimeout(description: "udevadm test: \(run.output)") }
        let control = try? String(
            contentsOfFile: "\(bed.root)\(place)/power/control", encoding: .utf8)
        try bed.unplug("1-1")
        return Run(
            output: run.output, powerControl: control?.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
