import Glibc

/// A check of a configured program. The service refuses a program that other users can change.
enum CommandCheck {
    /// Returns the faults of the settings, as clauses without a final period. Reads the attributes of the
    /// program's file.
    static func faults(_ settings: CommandSettings) -> [String] {
        let program = settings.program
        guard program.hasPrefix("/") else { return ["program '\(oneLine(program))' is not an absolute path"] }
        var faults: [String] = []
        if !(settings.timeoutSeconds > 0 && settings.timeoutSeconds <= 86_400) {
            faults.append("the timeout is not between 0 and 86400 s")
        }
        var facts = stat()
        guard stat(program, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return faults + ["program \(oneLine(program)) does not exist"]
        }
        if access(program, X_OK) != 0 { faults.append("program \(oneLine(program)) is not executable") }
        if facts.st_uid != 0 && facts.st_uid != geteuid() {
            faults.append(
                "program \(oneLine(program)) belongs to a user other than root or the service's user")
        }
        if facts.st_mode & 0o022 != 0 {
            faults.append(
                "program \(oneLine(program)) is writable by other users (mode \(String(facts.st_mode & 0o777, radix: 8)))"
            )
        }
        for (name, value) in settings.environment
        where name.isEmpty || name.contains("=") || name.contains("\0") || value.contains("\0") {
            faults.append("environment variable '\(oneLine(name))' cannot be set")
        }
        return faults
    }
}
