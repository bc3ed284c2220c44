import ChildProcesses
import Foundation
import FrameFastSystem
import Glibc
import SystemPackage

/// Whether the service could save photos with a configuration, tried before it is started with it: by a process with the
/// user and the sandbox of the service, where systemd can make one.
struct FolderCheck: Sendable {
    /// Runs a program to its end.
    ///
    /// - Returns: Its output, or `nil` if it takes too long.
    typealias Run = @Sendable (_ program: String, _ arguments: [String]) async -> String?

    /// The folder for photos, and that of the state.
    let folders: [String]
    /// Whether the computer's service is meant, and not a person's own or another configuration.
    let isOfComputer: Bool
    /// This program, and what makes it try ``folders`` outside of the sandbox.
    let program: String
    let options: [String]
    var isRoot = geteuid() == 0
    var sandbox = ServiceSandbox()
    var run: Run = { await Self.output(of: $0, $1, patience: Self.patience) }

    /// How long a folder may take to answer. The trial of a network mount that is dead does not end.
    static let patience: Duration = .seconds(20)
    /// What the service's sandbox is made of, as `systemctl show` names it, besides its state directory.
    private static let properties = [
        "User", "Group", "SupplementaryGroups", "UMask", "ProtectSystem", "ProtectHome", "PrivateTmp",
        "PrivateUsers", "ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "BindPaths",
        "BindReadOnlyPaths", "TemporaryFileSystem",
    ]

    /// What keeps the service from saving photos, as sentences with the commands that help; empty if nothing does.
    func faults() async -> [String] {
        let isService = isOfComputer && sandbox.isInstalled
        // systemd makes the state directory at the first start.
        let tried = folders.filter { !isService || !sandbox.isMadeAtStart($0) }
        guard !tried.isEmpty else { return [] }
        let trial = tried.flatMap { ["--try-folder", $0] }
        guard let output = await run(program, options + trial) else { return [Self.silence(tried)] }
        guard let outside = FolderAnswer.all(in: output), outside.count == tried.count else {
            return ["cannot try \(tried.joined(separator: ", ")): run 'sudo framefastd --check-config'"]
        }
        var inside: [FolderAnswer]?
        if isService, isRoot, sandbox.isSystemdRunning {
            let shown = await run(
                "/usr/bin/systemctl",
                ["show", "framefastd", "--property=" + Self.properties.joined(separator: ",")])
            if let arguments = Self.sandboxArguments(shown ?? "", program: program, trial: trial) {
                guard let output = await run("/usr/bin/systemd-run", arguments) else {
                    return [Self.silence(tried)]
                }
                inside = FolderAnswer.all(in: output).flatMap { $0.count == tried.count ? $0 : nil }
            }
        }
        return tried.indices.compactMap { index -> String? in
            let target = outside[index].target
            if isService, ServiceSandbox.isTemporary(target) {
                return "the service has a folder of its own in place of \(target), which is removed when it "
                    + "stops: choose another folder, such as /srv/photos"
            }
            let fault = Self.fault(
                tried[index], target, inside?[index] ?? outside[index], isService: isService)
            if fault != nil || inside != nil || !isService { return fault }
            return sandbox.advice(for: target)
        }
    }

    private static func fault(
        _ folder: String, _ target: String, _ answer: FolderAnswer, isService: Bool
    ) -> String? {
        guard let number = answer.errno else {
            return "whether the service can write to \(folder) is not for this user to see: "
                + "run 'sudo framefastd --check-config'"
        }
        guard number != 0 else { return nil }
        let reason = Errno(rawValue: number)
        let advice = CaptureFolderAdvice(
            target, reason, subject: answer.subject, isSystemService: isService, isForStart: true)
        return "the service cannot write to \(folder) (\(answer.subject): \(reason)). "
            + (advice.text ?? (reason.isNoRoom ? "Free some space on that disk." : "Check that folder."))
    }

    private static func silence(_ folders: [String]) -> String {
        "\(folders.joined(separator: " or ")) does not answer: if it is on a network mount, check that its server can be "
            + "reached, or unmount it"
    }

    /// The arguments of `systemd-run` that try folders in the sandbox of the service.
    ///
    /// - Parameter shown: What `systemctl show` says of the unit.
    /// - Returns: `nil` if the unit is not known, or has a path that systemctl does not print.
    static func sandboxArguments(_ shown: String, program: String, trial: [String]) -> [String]? {
        let lines = shown.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("=") }
        guard lines.contains(where: { $0.hasPrefix("User=") }), !shown.contains("[unprintable]") else {
            return nil
        }
        var arguments = ["--quiet", "--wait", "--pipe", "--collect"]
        let properties = lines + ["ReadWritePaths=-" + ServiceSandbox.stateDirectory, "RuntimeMaxSec=30"]
        arguments += properties.map { "--property=" + $0 }
        arguments += ["--", program]
        return arguments + trial
    }

    /// Runs a program. One that hangs in the kernel, where no signal reaches it, is left behind.
    static func output(of program: String, _ arguments: [String], patience: Duration) async -> String? {
        guard let output = try? ChildOutput(bytesMax: 64 * 1_024),
            let child = try? await ChildProcess.start(
                .init(
                    program: program, arguments: arguments, environment: ProcessInfo.processInfo.environment,
                    output: output.childEnd))
        else { return "" }
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let waiting = Task.detached {
            _ = await child.end()
            end.yield(true)
        }
        let timer = Task.detached {
            try await Task.sleep(for: patience)
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
