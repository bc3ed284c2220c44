import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage

/// A check of a configuration's folders and files before the service starts. The check tells whether the
/// service could save photos, and use the folders and files of the destinations. If possible, systemd runs
/// the check in a process with the user and the sandbox of the service.
struct FolderCheck: Sendable {
    /// Runs a program until it ends.
    ///
    /// - Returns: The output, or `nil` after a timeout. If the program can't be started, the output has no
    ///   results.
    typealias Run = @Sendable (_ program: String, _ arguments: [String]) async -> String?

    /// The results of the check. Each is a sentence with the commands that fix the problem.
    struct Findings: Hashable {
        /// The faults that prevent the service from saving or uploading photos.
        var faults: [String] = []
        /// The checks that were not possible, or that did not run with the user and the sandbox of the
        /// service.
        var warnings: [String] = []
    }

    /// The places to test: first all folders, then all files.
    let places: [ServicePlace]
    /// Whether the check is for the system service. `false` for a user service or another configuration.
    let isOfComputer: Bool
    /// Whether flags select a configuration, which may be for the service or for a manual test.
    var isByFlags = false
    /// This program, and the options with which it tests ``places`` outside of the sandbox.
    let program: String
    let options: [String]
    var isRoot = geteuid() == 0
    var sandbox = ServiceSandbox()
    var run: Run = { await Self.output(of: $0, $1, timeout: Self.timeout, clock: .system) }

    /// The timeout for the tests of all places. On a dead network mount a test never ends.
    static let timeout: Duration = .seconds(20)
    /// The properties of the service's sandbox, as `systemctl show` names them. The state directory is added
    /// separately.
    private static let properties = [
        "User", "Group", "SupplementaryGroups", "UMask", "ProtectSystem", "ProtectHome", "PrivateTmp",
        "PrivateUsers", "ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "BindPaths",
        "BindReadOnlyPaths", "TemporaryFileSystem",
    ]

    /// Tests the places and returns the results.
    func findings() async -> Findings {
        guard isByFlags, sandbox.isInstalled else { return await trial() }
        let found = await trial()
        return Findings(
            warnings: found.faults + found.warnings + [
                "the folders were checked as this user, not as the service. Put the configuration into "
                    + "/etc/framefast/conf.d and run 'sudo framefastd --check-config'"
            ])
    }

    private func trial() async -> Findings {
        let isService = isOfComputer && sandbox.isInstalled
        // systemd creates the state directory at the first start. A user service has this user's permissions.
        // Its destinations report problems with their folders and files themselves.
        let tried = places.filter {
            isService ? !sandbox.isMadeAtStart($0.path) : $0.destination == nil
        }
        guard !tried.isEmpty else { return Findings() }
        let names = tried.map(\.path)
        let trial = tried.flatMap { [$0.option, $0.path] }
        guard let output = await run(program, options + trial) else {
            return Findings(faults: [Self.noResponseFault(names)])
        }
        guard let outside = FolderTrialResult.all(in: output), outside.count == tried.count else {
            return Findings(faults: [
                "cannot check \(names.joined(separator: ", ")): run 'sudo framefastd --check-config'"
            ])
        }
        var unit = ""
        var inside: [FolderTrialResult]?
        if isService, isRoot, sandbox.isSystemdRunning {
            unit =
                await run(
                    "/usr/bin/systemctl",
                    ["show", "framefastd", "--property=" + Self.properties.joined(separator: ",")]) ?? ""
            if let arguments = Self.sandboxArguments(unit, program: program, trial: trial) {
                guard let output = await run("/usr/bin/systemd-run", arguments) else {
                    return Findings(faults: [Self.noResponseFault(names)])
                }
                // If systemd-run prints nothing, the process ended before its test: it was killed, or the
                // sandbox hides the program. If a second program also prints nothing, systemd can't create
                // the sandbox.
                if output.isEmpty,
                    let echo = Self.sandboxArguments(unit, program: "/bin/echo", trial: ["made"]),
                    await run("/usr/bin/systemd-run", echo) == ""
                {
                    return Findings(faults: [Self.noSandbox])
                }
                inside = FolderTrialResult.all(in: output).flatMap { $0.count == tried.count ? $0 : nil }
            }
        }
        var found = Findings()
        var unseen: [String] = []
        for (index, place) in tried.enumerated() {
            let target = outside[index].target
            guard case .folder(let purpose) = place.use else {
                // The destinations themselves report a missing file.
                let isMissing = outside[index].errno.map { Errno(rawValue: $0).isPathMissing } ?? false
                guard !isMissing else { continue }
                // Outside of the sandbox, the trial sees other files in these folders than the service.
                let isConcealed = sandbox.conceals(place.path, unit: unit)
                let isUnseen = inside == nil && isConcealed
                let result = inside?[index] ?? outside[index]
                if result.errno == nil || isUnseen { unseen.append(place.path) }
                if let fault = Self.fault(place, result, isConcealed: isConcealed) {
                    found.faults.append(fault)
                }
                continue
            }
            if isService, ServiceSandbox.isTemporary(target, unit: unit) {
                found.faults.append(
                    "\(place.prefix)instead of \(target), the service uses a private folder that systemd "
                        + "removes when the service stops: choose another folder, such as /srv/photos")
                continue
            }
            let result = inside?[index] ?? outside[index]
            if result.errno == nil {
                unseen.append(place.path)
            } else if place.mayBeAway, let warning = Self.warningOfMissingDisk(place, result) {
                found.warnings.append(warning)
            } else if let fault = Self.fault(place, target, purpose, result, isService: isService) {
                found.faults.append(fault)
            } else if inside == nil, isService, let advice = sandbox.advice(for: target, purpose: purpose) {
                found.faults.append(place.prefix + advice)
            }
        }
        if !unseen.isEmpty {
            let names = unseen.joined(separator: " and ")
            found.warnings.append(
                isRoot
                    ? "cannot check whether the service can use \(names), because systemd did not run "
                        + "the check in the service's sandbox"
                    : "this user has no permission to check whether the service can use \(names): "
                        + "run 'sudo framefastd --check-config'")
        }
        return found
    }

    /// Returns the fault of a folder, or `nil` if the service can write to it.
    private static func fault(
        _ place: ServicePlace, _ target: String, _ purpose: ServiceSandbox.Purpose,
        _ result: FolderTrialResult, isService: Bool
    ) -> String? {
        guard let number = result.errno, number != 0 else { return nil }
        let reason = Errno(rawValue: number)
        let advice = CaptureFolderAdvice(
            target, reason, subject: result.subject, closed: result.isClosed ? result.subject : nil,
            purpose: purpose, isSystemService: isService, isForStart: true)
        return "\(place.prefix)the service cannot write to \(place.path) (\(result.subject): \(reason)). "
            + (advice.text ?? (reason.isDiskFull ? "Free some space on that disk." : "Check that folder."))
    }

    /// Returns the warning for a folder whose disk may be missing, or `nil` if the service can write to it.
    ///
    /// The warning has no commands, because they would create the folder below the mount point.
    private static func warningOfMissingDisk(_ place: ServicePlace, _ result: FolderTrialResult) -> String? {
        guard let number = result.errno, number != 0 else { return nil }
        return "\(place.prefix)the service cannot use \(place.path) now "
            + "(\(result.subject): \(Errno(rawValue: number))). Photos wait until the disk is mounted. "
            + "Mount the disk, then run the check again."
    }

    /// Returns the fault of a file, or `nil` if the service can read it.
    private static func fault(
        _ place: ServicePlace, _ result: FolderTrialResult, isConcealed: Bool
    ) -> String? {
        guard let number = result.errno, number != 0, case .file(let key) = place.use,
            let destination = place.destination
        else { return nil }
        let reason = Errno(rawValue: number)
        let mustMove = !reason.isNotAllowed || result.isClosed || isConcealed
        let copy = mustMove ? ServiceSandbox.copy(of: place.path, for: destination) : nil
        let step = copy.map { "Set \(key) to \"\($0)\". " } ?? ""
        return "\(place.prefix)the service cannot read \(place.path) (\(result.subject): \(reason)). \(step)"
            + "Run: " + ServiceSandbox.commandToRead(place.path, copy: copy)
    }

    private static let noSandbox =
        "the service cannot be started: systemd cannot create its sandbox. A folder in your own settings for the unit, "
        + "or its disk, may be missing: see 'systemctl cat framefastd', and put '-' in front of the folder"

    private static func noResponseFault(_ folders: [String]) -> String {
        "\(folders.joined(separator: " or ")) does not respond: if it is on a network mount, check that its "
            + "server can be reached, or unmount it"
    }

    /// Returns the arguments of `systemd-run` for a test in the sandbox of the service.
    ///
    /// - Parameter shown: The output of `systemctl show` for the unit.
    /// - Returns: `nil` if the unit is unknown, or has a path that systemctl does not print.
    static func sandboxArguments(_ shown: String, program: String, trial: [String]) -> [String]? {
        let lines = shown.split(separator: "\n").map(String.init).filter { line in
            !line.hasSuffix("=") && Self.properties.contains { line.hasPrefix($0 + "=") }
        }
        guard lines.contains(where: { $0.hasPrefix("User=") }), !shown.contains("[unprintable]") else {
            return nil
        }
        var arguments = ["--quiet", "--wait", "--pipe", "--collect"]
        let properties = lines + ["ReadWritePaths=-" + ServiceSandbox.stateDirectory, "RuntimeMaxSec=30"]
        arguments += properties.map { "--property=" + $0 }
        arguments += ["--", program]
        // systemd expands variables in the arguments of a service.
        return arguments + trial.map { $0.replacing("$", with: "$$") }
    }

    /// Runs a program and returns its output. A program that hangs in the kernel ignores SIGKILL and is
    /// abandoned.
    static func output(
        of program: String, _ arguments: [String], timeout: Duration, clock: HostClock
    ) async -> String? {
        guard let output = try? ChildOutput(bytesMax: 64 * 1_024),
            let child = try? await ChildProcess.start(
                .init(
                    program: program, arguments: arguments, environment: ProcessInfo.processInfo.environment,
                    output: output.childEnd, error: output.childEnd))
        else { return "cannot start \(program)" }
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let waiting = Task.detached {
            _ = await child.waitForEnd()
            end.yield(true)
        }
        let timer = Task.detached {
            try await clock.sleep(for: timeout)
            end.yield(false)
        }
        defer {
            waiting.cancel()
            timer.cancel()
        }
        for await hasEnded in ends {
            if hasEnded { return output.finish() }
            child.signal(SIGKILL)
            break
        }
        return nil
    }
}
