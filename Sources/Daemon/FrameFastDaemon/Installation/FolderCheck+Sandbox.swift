/// The test in a process with the user and the sandbox of the service.
extension FolderCheck {
    /// The outcome of a test process in the sandbox.
    enum SandboxTrial {
        /// systemd is unavailable, or the process has no results.
        case notRun
        /// systemd cannot create the sandbox.
        case impossible
        /// systemd has not started the process before the timeout.
        case noResponse
        /// The results in the order of the places, with `nil` for a place that does not respond.
        case ended([FolderTrialResult?])
    }

    /// The properties of the service's sandbox, as `systemctl show` names them. The state directory is added
    /// separately.
    private static let properties = [
        "User", "Group", "SupplementaryGroups", "UMask", "ProtectSystem", "ProtectHome", "PrivateTmp",
        "PrivateUsers", "ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "BindPaths",
        "BindReadOnlyPaths", "TemporaryFileSystem",
    ]

    /// Returns the output of `systemctl show` for the unit, or an empty string if systemctl does not respond.
    func shownUnit() async -> String {
        await run(
            "/usr/bin/systemctl",
            ["show", "framefastd", "--property=" + Self.properties.joined(separator: ",")]) ?? ""
    }

    /// Tests places in the sandbox.
    ///
    /// - Parameter unit: The output of `systemctl show` for the unit.
    func tryInside(_ places: [ServicePlace], unit: String) async -> SandboxTrial {
        let trial = Self.arguments(for: places)
        guard let arguments = Self.sandboxArguments(unit, program: program, trial: trial) else {
            return .notRun
        }
        guard let output = await run("/usr/bin/systemd-run", arguments) else { return .noResponse }
        // If systemd-run prints nothing, the process ended before its test: it was killed, or the sandbox
        // hides the program. If a second program also prints nothing, systemd can't create the sandbox.
        if output.isEmpty,
            let echo = Self.sandboxArguments(unit, program: "/bin/echo", trial: ["made"]),
            await run("/usr/bin/systemd-run", echo) == ""
        {
            return .impossible
        }
        let results: [FolderTrialResult?]? = CheckProcess.results(in: output, count: places.count)
        return if let results { .ended(results) } else { .notRun }
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
}
