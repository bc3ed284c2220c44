public import SettingKeys

/// The complete, validated configuration.
public struct Configuration: Sendable, Hashable {
    /// A configured camera.
    public typealias Camera = ConfigurationTable<CameraKeys>
    /// A group of cameras.
    public typealias Group = ConfigurationTable<GroupKeys>
    /// A program that the daemon runs on an event.
    public typealias Hook = ConfigurationTable<HookKeys>
    /// A configured destination.
    public typealias Destination = ConfigurationTable<DestinationKeys>

    /// The values of the sections that occur once, by section name and key name.
    var sections: [String: [String: SettingValue]]
    /// The configured cameras, in order. For a key that a camera omits, the value of the `[capture]` section
    /// applies, if any.
    public internal(set) var cameras: [Camera]
    /// The configured groups of cameras, in order.
    public internal(set) var groups: [Group]
    /// The configured destinations, in order.
    public internal(set) var destinations: [Destination]
    /// The hooks, in order.
    public internal(set) var hooks: [Hook]
    /// The files that were read, in order.
    public internal(set) var files: [String]

    /// The settings of photo transfer and storage.
    public var capture: Settings<CaptureKeys> { settings() }
    /// The settings of USB cameras.
    public var usb: Settings<USBKeys> { settings() }
    /// The settings of the upload modes.
    public var upload: Settings<UploadKeys> { settings() }
    /// The settings of local retention.
    public var storage: Settings<StorageKeys> { settings() }
    /// The settings of the API socket.
    public var api: Settings<APIKeys> { settings() }
    /// The settings of the web page.
    public var web: Settings<WebKeys> { settings() }
    /// The settings of Prometheus metrics.
    public var metrics: Settings<MetricsKeys> { settings() }
    /// The settings of camera drivers.
    public var drivers: Settings<DriverKeys> { settings() }
    /// The settings of the daemon's own files.
    public var state: Settings<StateKeys> { settings() }
    /// The settings of the log.
    public var log: Settings<LogKeys> { settings() }

    private func settings<Keys: ConfigurationSection>() -> Settings<Keys> {
        Settings(sections[Keys.section] ?? [:])
    }
}

/// A table of a list section, with its location in the files.
@dynamicMemberLookup
public struct ConfigurationTable<Keys: ConfigurationSection>: Sendable, Hashable {
    /// The values of the table.
    public internal(set) var settings: Settings<Keys>
    /// The locations of the table and of each of its keys.
    public internal(set) var origin: ConfigurationOrigin

    /// Returns the value of a key.
    public subscript<Value>(dynamicMember path: KeyPath<Keys, SettingKey<Value>>) -> Value {
        settings[dynamicMember: path]
    }

    /// Returns whether another table has the same settings, regardless of its location.
    func hasSameSettings(as other: Self) -> Bool { settings == other.settings }
}
