/// A preset: named camera settings.
public struct PresetReply: WireValue {
    /// The name of the preset.
    public var name: PresetName
    /// The values by key. The key `raw.NAME` selects a setting by its driver name.
    public var settings: [String: String]
    /// The reason why the preset's file cannot be used, with the line number. `nil` if the file can be used.
    @OrNull public var problem: String?

    /// Creates a reply.
    public init(name: PresetName, settings: [String: String], problem: String? = nil) {
        self.name = name
        self.settings = settings
        self._problem = OrNull(wrappedValue: problem)
    }
}

/// `GET /v1/presets`.
public struct PresetsReply: WireValue {
    /// The presets, by name.
    public var presets: [PresetReply]

    /// Creates a reply.
    public init(presets: [PresetReply]) { self.presets = presets }
}

/// `PUT /v1/presets/{id}`: saves a preset from a camera's current settings, or from values.
public struct PresetSaveRequest: WireRequest {
    /// The camera whose settings are saved, or `nil` if values are given.
    public var camera: CameraReference?
    /// The keys to save, or `nil` for all settings that determine how a photo looks.
    public var names: [String]?
    /// The values by key, or `nil` if a camera is given.
    public var settings: [String: String]?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Id or name of the camera to copy settings from"),
            .init(
                CodingKeys.names, "Keys to save. Default: all settings that affect the picture",
                count: 1...SettingsChangeRequest.changesMax),
            .init(CodingKeys.settings, "Values by key, instead of a camera"),
        ]
    }

    /// Creates a request.
    public init(camera: CameraReference? = nil, names: [String]? = nil, settings: [String: String]? = nil) {
        self.camera = camera
        self.names = names
        self.settings = settings
    }

    /// Returns the request, or throws if it names no source of values or two sources, an invalid number of
    /// keys, or keys without a camera.
    public func checked() throws(ControlError) -> Self {
        guard (camera == nil) != (settings == nil) else {
            throw ControlError(
                .invalid, "cannot save a preset without settings",
                nextStep: "Give a camera, or settings with their values.")
        }
        guard names == nil || camera != nil,
            names.map({ (1...SettingsChangeRequest.changesMax).contains($0.count) }) ?? true
        else {
            throw ControlError(
                .invalid,
                "cannot use this number of names: give 1 to \(SettingsChangeRequest.changesMax), with a camera"
            )
        }
        if let settings { try SettingsChangeRequest.check(settings) }
        return self
    }
}

/// `POST /v1/presets/{id}/apply`.
public struct PresetApplyRequest: WireRequest {
    /// The camera to set.
    public var camera: CameraReference
    /// Whether to use the nearest value that the camera offers.
    public var nearest: Bool?
    /// Whether to report the changes without making them.
    public var dryRun: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(CodingKeys.nearest, "True to use the nearest available value"),
            .init(CodingKeys.dryRun, "True to report the changes without making them"),
        ]
    }

    /// Creates a request.
    public init(camera: CameraReference, nearest: Bool? = nil, dryRun: Bool? = nil) {
        self.camera = camera
        self.nearest = nearest
        self.dryRun = dryRun
    }
}
