import SettingKeys

/// The default locations: the folders that systemd creates for the service (`StateDirectory=` and similar
/// options), or folders of an ordinary user.
extension ConfigurationLayer {
    /// Sets the default locations for the environment of this process.
    ///
    /// - Parameter isRoot: Whether the process runs as root.
    mutating func setDefaultLocations(environment: [String: String], isRoot: Bool) {
        let isUserService = !isRoot && environment["XDG_RUNTIME_DIR"]?.hasPrefix("/") == true
        if isUserService, let runtime = environment["XDG_RUNTIME_DIR"] {
            setDefault("api.socket", "\(runtime)/framefast/framefast.sock")
        }
        guard let state = Self.folder("STATE_DIRECTORY", environment) else { return }
        setDefault("state.directory", state)
        if isUserService, let home = environment["HOME"], home.hasPrefix("/") {
            setDefault("capture.directory", "\(home)/Pictures/FrameFast")
        } else {
            setDefault("capture.directory", "\(state)/captures")
        }
    }

    /// Returns the path of the configuration file that is read if no other file is given.
    static func defaultFile(environment: [String: String]) -> String {
        folder("CONFIGURATION_DIRECTORY", environment).map { "\($0)/framefast.toml" }
            ?? Configuration.defaultFile
    }

    private mutating func setDefault(_ path: String, _ text: String) {
        entries[path] = Entry(value: .text(text), source: "defaults")
    }

    /// Returns a folder of the systemd unit. If the unit has several such folders, returns the first folder.
    private static func folder(_ name: String, _ environment: [String: String]) -> String? {
        let first = environment[name]?.split(separator: ":").first.map(String.init)
        return first?.hasPrefix("/") == true ? first : nil
    }
}
