public import SettingKeys

/// The whole configuration, checked. What is in here can be used as it is.
public struct Configuration: Sendable, Hashable {
    /// A configured camera.
    public typealias Camera = ConfigurationTable<CameraKeys>
    /// Cameras that take photos together.
    public typealias Group = ConfigurationTable<GroupKeys>
    /// A program that is run when something happens.
    public typealias Hook = ConfigurationTable<HookKeys>
    /// A way of telling a person what is wrong.
    public typealias Notice = ConfigurationTable<NoticeKeys>
    /// A configured destination.
    public typealias Destination = ConfigurationTable<DestinationKeys>

    /// Values of the sections that are there once, by section and name.
    var sections: [String: [String: SettingValue]]
    /// Configured cameras, in order; the general keys are applied already.
    public internal(set) var cameras: [Camera]
    /// Cameras that take photos together, in order.
    public internal(set) var groups: [Group]
    /// Configured destinations, in order.
    public internal(set) var destinations: [Destination]
    /// Programs that are run when something happens, in order.
    public internal(set) var hooks: [Hook]
    /// Ways of telling a person what is wrong, in order.
    public internal(set) var notices: [Notice]
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
    /// What photos get beside them in the capture directory.
    public var sidecar: Settings<SidecarKeys> { settings() }
    /// Manifests of what was captured.
    public var manifest: Settings<ManifestKeys> { settings() }
    /// The socket for programs.
    public var api: Settings<APIKeys> { settings() }
    /// Metrics for Prometheus.
    public var metrics: Settings<MetricsKeys> { settings() }
    /// The page for the studio and its clients.
    public var web: Settings<WebKeys> { settings() }
    /// Other computers with cameras.
    public var fleet: Settings<FleetKeys> { settings() }
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
