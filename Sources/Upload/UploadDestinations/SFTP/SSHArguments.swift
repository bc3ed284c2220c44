import ChildProcesses

/// The arguments and environment of ssh. No local shell parses the arguments. Values that could change the
/// meaning of the command line are quoted or refused. For example, ssh may read a value as an option, as a
/// list of files, or as a variable.
enum SSHArguments {
    /// Returns the arguments for the SFTP subsystem.
    static func subsystem(_ settings: SFTPSettings) -> [String] {
        base(settings) + ["-s", "--", settings.host, "sftp"]
    }

    /// Returns the arguments for a command on the server. The user's shell on the server parses the command,
    /// so `path` is quoted.
    static func command(_ program: String, path: String, _ settings: SFTPSettings) -> [String] {
        base(settings) + ["--", settings.host, "\(program) -- \(quoted(path))"]
    }

    private static func base(_ settings: SFTPSettings) -> [String] {
        var arguments: [String] = []
        if let file = settings.configFile { arguments += ["-F", file] }
        if let port = settings.port { arguments += ["-p", String(port)] }
        if let user = settings.user { arguments += ["-l", user] }
        var options = [
            "BatchMode=yes", "StrictHostKeyChecking=\(settings.hostKeys == .known ? "yes" : "accept-new")",
            "ConnectTimeout=\(settings.connectTimeoutSeconds)", "ConnectionAttempts=1",
            "ServerAliveInterval=15",
            "ServerAliveCountMax=3", "ControlMaster=no", "ControlPath=none", "ClearAllForwardings=yes",
            "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no", "UpdateHostKeys=no", "RequestTTY=no",
            "EscapeChar=none", "LogLevel=INFO",
        ]
        if let file = settings.knownHostsFile {
            options += ["UserKnownHostsFile=\(fileValue(file))", "GlobalKnownHostsFile=none"]
        }
        if let file = settings.identityFile {
            options += ["IdentityFile=\(fileValue(file))", "IdentitiesOnly=yes"]
        }
        options.append("IdentityAgent=\(settings.agentSocket.map(fileValue) ?? "none")")
        return arguments + options.map { "-o" + $0 }
    }

    /// Returns the complete environment of ssh. The locale makes ssh's messages English, because the failure
    /// mapping searches for English texts.
    static func environment(_ settings: SFTPSettings) -> [String: String] {
        ["HOME": settings.home, "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
    }

    /// Returns a path, quoted for an option. ssh splits values at spaces, and expands `%` and `${…}`
    /// (ssh_config(5), TOKENS).
    private static func fileValue(_ path: String) -> String {
        "\"\(path.replacing("%", with: "%%"))\""
    }

    /// Returns a word, quoted for a POSIX shell.
    static func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }

    static func faults(_ settings: SFTPSettings) -> [String] {
        var faults: [String] = []
        func check(_ isRight: Bool, _ sentence: String) { if !isRight { faults.append(sentence) } }
        let hostScalars = settings.host.unicodeScalars
        check(
            !settings.host.isEmpty && !settings.host.hasPrefix("-")
                && hostScalars.allSatisfy {
                    $0.properties.isAlphabetic || ("0"..."9").contains($0)
                        || "._-:%[]".unicodeScalars.contains($0)
                },
            settings.host.contains("@")
                ? "the host contains a user or password: give only the host, and set 'user' and 'key_file'"
                : "host '\(oneLine(settings.host))' is not a host name")
        if let user = settings.user {
            check(
                !user.isEmpty && !user.hasPrefix("-")
                    && user.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f },
                "user '\(oneLine(user))' is not a user name")
        }
        if let port = settings.port {
            check((1...65_535).contains(port), "port \(port) is not between 1 and 65535")
        }
        check(settings.connectTimeoutSeconds >= 1, "the connect timeout is shorter than 1 s")
        check(settings.stallSeconds >= 1, "the stall timeout is shorter than 1 s")
        if let limit = settings.bytesPerSecondMax {
            check(limit >= 1_000, "the limit is below 1,000 bytes per second")
        }
        let files = [
            "key file": settings.identityFile, "known hosts file": settings.knownHostsFile,
            "agent socket": settings.agentSocket,
        ]
        for (what, path) in files.sorted(by: { $0.key < $1.key }) {
            guard let path else { continue }
            check(
                path.hasPrefix("/") && !path.contains("\"") && !path.contains("\\") && !path.contains("${")
                    && path.unicodeScalars.allSatisfy { $0.value >= 0x20 },
                "\(what) '\(oneLine(path))' is not an absolute path that ssh accepts")
        }
        check(
            !settings.folder.unicodeScalars.contains { $0.value == 0 }
                && !settings.folder.split(separator: "/").contains(".."),
            "folder '\(oneLine(settings.folder))' may not contain '..'")
        if case .command(let program) = settings.verification {
            let isPlain = program.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                        || "._-/ ".unicodeScalars.contains($0))
            }
            check(
                isPlain && !program.isEmpty, "checksum command '\(oneLine(program))' is not a plain command")
        }
        return faults
    }
}
