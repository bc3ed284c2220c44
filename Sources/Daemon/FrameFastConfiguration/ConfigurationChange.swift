import SettingKeys

/// The changes from one configuration to another while the daemon runs.
public struct ConfigurationChange: Sendable {
    /// The effective configuration: the new configuration, with the old values of keys that need a restart.
    public let effective: Configuration
    /// The keys that changed and need a restart, in the order of the configuration reference.
    public let needsRestart: [String]
    /// The destinations that are new or changed.
    public let destinations: [Configuration.Destination]

    /// - Parameter hasMeteredCheck: Whether the daemon already checks whether the network is metered.
    public init(from old: Configuration, to new: Configuration, hasMeteredCheck: Bool) {
        var effective = new
        var keys: [String] = []
        for key in ConfigurationKeys.all {
            let needsRestart =
                switch key.declaration.change {
                case .reload: false
                case .restart: true
                case .restartWithMeter: hasMeteredCheck
                }
            let before = old.sections[key.section]?[key.name]
            guard needsRestart, before != new.sections[key.section]?[key.name] else { continue }
            keys.append(key.path)
            effective.sections[key.section]?[key.name] = before
        }
        if !hasMeteredCheck, new.needsMeteredCheck { keys.append("destination.metered") }
        self.effective = effective
        needsRestart = keys
        destinations = new.destinations.filter { table in
            !old.destinations.contains { $0.hasSameSettings(as: table) }
        }
    }
}

extension Configuration {
    /// Whether any destination holds uploads on a metered network.
    public var needsMeteredCheck: Bool { destinations.contains { $0.metered == .hold } }
}
