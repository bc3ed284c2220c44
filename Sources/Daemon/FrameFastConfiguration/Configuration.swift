public import SettingKeys

/// The whole configuration, checked. What is in here can be used as it is.
public struct Configuration: Sendable, Hashable {
    /// A configured camera.
    public typealias Camera = ConfigurationTable<CameraKeys>
    /// A group of cameras.
    public typealias Group = ConfigurationTable<GroupKeys>
    /// A program that is run when something happens.
    public typealias Hook = ConfigurationTable<HookKeys>
    /// A configured destination.
    public typealias Destination = ConfigurationTable<DestinationKeys>

    /// Values of the sections that are there once, by section and name.
    var sections: [String: [String: SettingValue]]
    /// Configured cameras, in order; the general keys are applied already.
    public internal(set) var cameras: [Camera]
    /// Configured groups of cameras, in order.
    public internal(set) var groups: [Group]
    /// Configured destinations, in order.
    public internal(set) var destinations: [Destination]
    /// Programs that are run when something happens, in order.
    public internal(set) var hooks: [Hook]
    /// Files that were read, in order.
    public internal(set) var files: [String]

    /// Taking photos in.
    public var capture: Settings<CaptureKeys> { settings() }
    /// Cameras on the USB.
    public var usb: Settings<USBKeys> { settings() }
    /// What upload modes do.
    public var upload: Settings<UploadKeys> { settings() }
    /// How long photos stay here.
    public var storage: Settings<StorageKeys> { settings() }
    /// The socket for programs.
    public var api: Settings<APIKeys> { settings() }
    /// Metrics for Prometheus.
    public var metrics: Settings<MetricsKeys> { settings() }
    /// Camera drivers.
    public var drivers: Settings<DriverKeys> { settings() }
    /// The daemon's own files.
    public var state: Settings<StateKeys> { settings() }
    /// Messages.
    public var log: Settings<LogKeys> { settings() }

    private func settings<Keys: ConfigurationSection>() -> Settings<Keys> {
        Settings(sections[Keys.section] ?? [:])
    }
}

/// One table of a list, with where it stands.
@dynamicMemberLookup
public struct ConfigurationTable<Keys: ConfigurationSection>: Sendable, Hashable {
    /// Its values.
    public internal(set) var settings: Settings<Keys>
    /// Where it stands, and each of its keys.
    public internal(set) var origin: ConfigurationOrigin

    /// The value of a key.
    public subscript<Value>(dynamicMember path: KeyPath<Keys, SettingKey<Value>>) -> Value {
        settings[dynamicMember: path]
    }

    /// Whether another says the same, wherever it stands in its file.
    func saysTheSame(as other: Self) -> Bool { settings == other.settings }
}
