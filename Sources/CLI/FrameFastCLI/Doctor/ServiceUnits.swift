import Glibc

/// Which of systemd's units the doctor speaks of: the computer's, or this login's own.
struct ServiceUnits {
    /// Whether it is this login's own.
    let isOwn: Bool
    /// Its properties; `nil` without systemd.
    let properties: [String: String]?

    /// - Parameters:
    ///   - socketPath: Where the service was looked for.
    ///   - isAway: Whether nothing answers there: then the enabled service is meant.
    init(socketPath: String, isAway: Bool) {
        let runtime = Self.variable("XDG_RUNTIME_DIR")
        if let runtime, socketPath.hasPrefix(runtime + "/") {
            self.init(isOwn: true, properties: Self.ask(["--user"]))
            return
        }
        if isAway, runtime != nil, geteuid() != 0, let own = Self.ask(["--user"]),
            own["UnitFileState"] == "enabled"
        {
            self.init(isOwn: true, properties: own)
            return
        }
        // Another user's login: nothing is known of its manager here.
        let isOthers = socketPath.hasPrefix("/run/user/")
        self.init(isOwn: isOthers, properties: isOthers ? nil : Self.ask([]))
    }

    private init(isOwn: Bool, properties: [String: String]?) {
        self.isOwn = isOwn
        self.properties = properties
    }

    /// What the unit gives its program of names of folders: a stand-in looks at the same ones.
    var environment: [String: String] {
        guard isOwn, let home = Self.variable("HOME") else { return [:] }
        let configuration = Self.variable("XDG_CONFIG_HOME") ?? home + "/.config"
        // Before systemd 254, a login's state was kept beside its configuration.
        let states = [(Self.variable("XDG_STATE_HOME") ?? home + "/.local/state"), configuration]
        let state = states.first { access("\($0)/framefast/ledger.sqlite", F_OK) == 0 } ?? states[0]
        return [
            "CONFIGURATION_DIRECTORY": configuration + "/framefast", "STATE_DIRECTORY": state + "/framefast",
        ]
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func ask(_ options: [String]) -> [String: String]? {
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
