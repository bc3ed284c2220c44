import UploadDestinations

extension Configuration {
    /// One configured hook.
    struct Hook: Sendable, Hashable {
        /// Its name; unique.
        var name: String
        /// What it is run for; never empty.
        var on: Set<UploadDestinations.Hook.Moment>
        /// Program and arguments; never empty.
        var command: [String]
        /// Longest run; `nil` for the usual one.
        var timeout: Duration?
        /// Most runs at a time.
        var concurrency: Int
        /// Only for these files; `nil` for all.
        var types: [String]?
        /// Only for these cameras; `nil` for all.
        var cameras: [String]?
        /// Only for these sessions; `nil` for all.
        var sessions: [String]?
        /// Only for these destinations; `nil` for all.
        var destinations: [String]?
        /// Where it stands.
        var origin: ConfigurationOrigin
    }
}

extension ConfigurationLayer {
    /// The checked `[[hook]]` tables.
    ///
    /// - Parameter destinations: Names of the configured ones.
    func hooks(destinations: [String], errors: inout [ConfigurationError]) -> [Configuration.Hook] {
        var checked: [Configuration.Hook] = []
        for table in lists["hook"] ?? [] {
            let required = ["name", "on", "command"]
            guard let name = table.text("name"), let on = table.list("on"),
                let command = table.list("command")
            else {
                // A value that is there and wrong has its own error already.
                let missing = required.filter { !table.keys.contains($0) }.map { "'\($0)'" }
                if !missing.isEmpty {
                    errors.append(table.error(nil, "a hook needs " + missing.joined(separator: " and ")))
                }
                continue
            }
            if checked.contains(where: { $0.name == name }) {
                errors.append(table.error("name", "hook name '\(name)' is taken by another hook"))
            }
            if command.isEmpty { errors.append(table.error("command", "'hook.command' needs a program")) }
            for wanted in table.list("destinations") ?? [] where !destinations.contains(wanted) {
                let hint =
                    Suggestion.nearest(to: wanted, in: destinations).map { " (did you mean '\($0)'?)" } ?? ""
                errors.append(
                    table.error("destinations", "'hook.destinations': there is no '\(wanted)'\(hint)"))
            }
            checked.append(
                .init(
                    name: name, on: Set(on.compactMap(UploadDestinations.Hook.Moment.init)), command: command,
                    timeout: table.duration("timeout"), concurrency: table.number("concurrency") ?? 1,
                    types: table.list("types"), cameras: table.list("cameras"),
                    sessions: table.list("sessions"), destinations: table.list("destinations"),
                    origin: table.origin))
        }
        return checked
    }
}

extension ConfigurationLayer.Table {
    func list(_ name: String) -> [String]? {
        if case .list(let list) = entries[name]?.value { list } else { nil }
    }

    func number(_ name: String) -> Int? {
        if case .number(let number) = entries[name]?.value { number } else { nil }
    }

    func duration(_ name: String) -> Duration? {
        if case .duration(let duration) = entries[name]?.value { duration } else { nil }
    }
}
