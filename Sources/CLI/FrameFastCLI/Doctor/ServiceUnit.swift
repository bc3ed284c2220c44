import Glibc

/// The systemd unit that `doctor` examines: the system unit or a user unit.
struct ServiceUnit {
    /// Whether the unit is a user unit.
    let isUserUnit: Bool
    /// The properties of the unit, or `nil` if `systemctl` cannot read them.
    let properties: [String: String]?

    /// Chooses the unit and reads its properties.
    ///
    /// - Parameters:
    ///   - socketPath: The socket of the service.
    ///   - isUnreachable: Whether no daemon listens at the socket. If so, an enabled user unit takes
    ///     precedence over the system unit.
    init(socketPath: String, isUnreachable: Bool) {
        let runtime = Self.variable("XDG_RUNTIME_DIR")
        if let runtime, socketPath.hasPrefix(runtime + "/") {
            self.init(isUserUnit: true, properties: Self.readProperties(["--user"]))
            return
        }
        if isUnreachable, runtime != nil, geteuid() != 0, let own = Self.readProperties(["--user"]),
            own["UnitFileState"] == "enabled"
        {
            self.init(isUserUnit: true, properties: own)
            return
        }
        // Here, a socket in `/run/user` belongs to the user service of another user, whose unit this user
        // cannot read.
        let isOthers = socketPath.hasPrefix("/run/user/")
        self.init(isUserUnit: isOthers, properties: isOthers ? nil : Self.readProperties([]))
    }

    init(isUserUnit: Bool, properties: [String: String]?) {
        self.isUserUnit = isUserUnit
        self.properties = properties
    }

    /// The folder variables that systemd sets for a user service. Empty for the system service. With these
    /// variables, `framefastd --diagnose` checks the same folders as the service.
    var environment: [String: String] {
        guard isUserUnit, let home = Self.variable("HOME") else { return [:] }
        let configuration = Self.variable("XDG_CONFIG_HOME") ?? home + "/.config"
        // Before systemd 254, the state folder of a user service was its configuration folder.
        let states = [(Self.variable("XDG_STATE_HOME") ?? home + "/.local/state"), configuration]
        let state = states.first { access("\($0)/framefast/ledger.sqlite", F_OK) == 0 } ?? states[0]
        return [
            "CONFIGURATION_DIRECTORY": configuration + "/framefast", "STATE_DIRECTORY": state + "/framefast",
        ]
    }

    /// The configuration file that the service reads by default.
    var configurationFile: String {
        (environment["CONFIGURATION_DIRECTORY"] ?? "/etc/framefast") + "/framefast.toml"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func readProperties(_ options: [String]) -> [String: String]? {
        guard access("/run/systemd/system", F_OK) == 0, let path = ShortCommand.find("systemctl"),
            let result = ShortCommand.run(
                path,
                options + [
                    "show", "framefastd.service", "-p",
                    "LoadState,ActiveState,SubState,Result,NRestarts,UnitFileState",
                ], timeoutMs: 5000), result.status == 0
        else { return nil }
        var properties: [String: String] = [:]
        for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }
}
