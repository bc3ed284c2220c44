/// What another configuration changes while the service runs.
struct ConfigurationChange: Sendable {
    /// What is in force from now on: the new one, with what only a restart changes as it was.
    let inForce: Configuration
    /// Keys that changed and need a restart, in the order of the reference.
    let needsRestart: [String]
    /// Destinations that are new, or other than before.
    let destinations: [Configuration.Destination]

    /// Keys that are decided on when the service starts. `upload.metered_…` are while a destination wants to know.
    static let restartKeys: Set<String> = [
        "capture.directory", "capture.template", "capture.pair_settle", "capture.existing",
        "capture.verify", "upload.metered_command", "upload.metered_interval", "api.socket",
        "api.public_status",
        "metrics.listen", "drivers.allow", "state.directory",
    ]

    /// - Parameter hasMeter: Whether somebody looks if the network costs money.
    init(from old: Configuration, to new: Configuration, hasMeter: Bool) {
        var inForce = new
        var keys: [String] = []
        func keep<Value: Equatable>(_ key: String, _ path: WritableKeyPath<Configuration, Value>) {
            guard old[keyPath: path] != new[keyPath: path] else { return }
            keys.append(key)
            inForce[keyPath: path] = old[keyPath: path]
        }
        keep("capture.directory", \.capture.directory)
        keep("capture.template", \.capture.template)
        keep("capture.pair_settle", \.capture.pairSettle)
        keep("capture.existing", \.capture.existing)
        keep("capture.verify", \.capture.verify)
        if hasMeter {
            keep("upload.metered_command", \.upload.meteredCommand)
            keep("upload.metered_interval", \.upload.meteredInterval)
        } else if new.needsMeter {
            keys.append("destination.metered")
        }
        keep("api.socket", \.api.socket)
        keep("api.public_status", \.api.isStatusPublic)
        keep("metrics.listen", \.metrics)
        keep("drivers.allow", \.driversAllowed)
        keep("state.directory", \.stateDirectory)
        self.inForce = inForce
        needsRestart = keys
        // A table that only moved in its file is the same.
        let known = Set(old.destinations.map(\.placeless))
        destinations = new.destinations.filter { !known.contains($0.placeless) }
    }
}

extension Configuration {
    /// Whether any destination holds photos back on a network that costs money.
    var needsMeter: Bool { destinations.contains { $0.texts["metered"] == "hold" } }
}

extension Configuration.Destination {
    /// The same without where it stands in its file.
    fileprivate var placeless: Self {
        var copy = self
        copy.origin = ConfigurationOrigin(table: .init(source: "", line: nil), keys: [:])
        return copy
    }
}
