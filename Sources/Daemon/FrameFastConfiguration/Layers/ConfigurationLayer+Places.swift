import SettingKeys

/// Where things are when nobody says: the folders that systemd made for the service (`StateDirectory=` and its kind),
/// and an ordinary user's own.
extension ConfigurationLayer {
    /// Sets the defaults for the place where this process runs.
    ///
    /// - Parameter isRoot: Whether the process runs as root.
    mutating func setPlaces(environment: [String: String], isRoot: Bool) {
        let isOfPerson = !isRoot && environment["XDG_RUNTIME_DIR"]?.hasPrefix("/") == true
        if isOfPerson, let runtime = environment["XDG_RUNTIME_DIR"] {
            setDefault("api.socket", "\(runtime)/framefast/framefast.sock")
        }
        guard let state = Self.folder("STATE_DIRECTORY", environment) else { return }
        setDefault("state.directory", state)
        if isOfPerson, let home = environment["HOME"], home.hasPrefix("/") {
            setDefault("capture.directory", "\(home)/Pictures/FrameFast")
        } else {
            setDefault("capture.directory", "\(state)/captures")
        }
    }

    /// The file that is read when no other is named.
    static func defaultFile(environment: [String: String]) -> String {
        folder("CONFIGURATION_DIRECTORY", environment).map { "\($0)/framefast.toml" }
            ?? Configuration.defaultFile
    }

    private mutating func setDefault(_ path: String, _ text: String) {
        entries[path] = Entry(value: .text(text), source: "defaults")
    }

    /// A folder of the unit's; the first, where it has several.
    private static func folder(_ name: String, _ environment: [String: String]) -> String? {
        let first = environment[name]?.split(separator: ":").first.map(String.init)
        return first?.hasPrefix("/") == true ? first : nil
    }
}
