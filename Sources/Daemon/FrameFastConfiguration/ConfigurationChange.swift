import SettingKeys

/// What another configuration changes while the service runs.
public struct ConfigurationChange: Sendable {
    /// What is in force from now on: the new one, with what only a restart changes as it was.
    public let inForce: Configuration
    /// Keys that changed and need a restart, in the order of the reference.
    public let needsRestart: [String]
    /// Destinations that are new, or other than before.
    public let destinations: [Configuration.Destination]

    /// - Parameter hasMeter: Whether somebody looks if the network costs money.
    public init(from old: Configuration, to new: Configuration, hasMeter: Bool) {
        var inForce = new
        var keys: [String] = []
        for key in ConfigurationKeys.all {
            let needsRestart =
                switch key.declaration.change {
                case .reload: false
                case .restart: true
                case .restartWithMeter: hasMeter
                }
            let before = old.sections[key.section]?[key.name]
            guard needsRestart, before != new.sections[key.section]?[key.name] else { continue }
            keys.append(key.path)
            inForce.sections[key.section]?[key.name] = before
        }
        if !hasMeter, new.needsMeter { keys.append("destination.metered") }
        self.inForce = inForce
        needsRestart = keys
        destinations = new.destinations.filter { table in
            !old.destinations.contains { $0.saysTheSame(as: table) }
        }
    }
}

extension Configuration {
    /// Whether any destination holds photos back on a network that costs money.
    public var needsMeter: Bool { destinations.contains { $0.metered == .hold } }
}
