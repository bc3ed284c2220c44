/// The driver's names for a setting and its values, for the cameras of one maker.
public struct SettingProfile: Codable, Hashable, Sendable {
    /// The driver's names for the setting, preferred first. The worker uses the first name that the camera
    /// has.
    public var names: [String]
    /// The codes of the properties in the camera's change events, as in ptp.h, or `nil` if the camera does
    /// not report changes.
    public var codes: [PropertyCode]?
    /// The driver's values for each value in FrameFast's format, preferred first. Numbers need no
    /// translation.
    public var driverValues: [String: [String]]?
    /// The exposure modes in which the camera accepts the setting, in FrameFast's format. `nil` if the camera
    /// reports whether the setting is read-only, or if the modes are unknown.
    public var onlyInModes: [String]?
    /// Whether the driver changes the value in single steps, which takes seconds.
    public var changesInSteps: Bool?
    /// The setting and value that the worker must write before this setting. Nikon's `controlmode`, for
    /// example, disables the camera's dials.
    public var needs: CameraProfile.Setting?

    private enum CodingKeys: String, CodingKey {
        case names, codes
        case driverValues = "words"
        case onlyInModes
        case changesInSteps = "walks"
        case needs
    }

    /// Returns the value in FrameFast's format for a driver's value, or `nil` for an unknown value.
    public func value(of driverValue: String, for key: CameraSettingKey) -> CameraSettingValue? {
        if let ours = driverValues?.first(where: { $0.value.contains(driverValue) })?.key {
            return CameraSettingValue(known: ours)
        }
        return key.form == .word ? nil : CameraSettingValue(driverValue, for: key)
    }

    /// Returns the driver's value for a value in FrameFast's format, or `nil` if the camera does not offer
    /// the value.
    ///
    /// - Parameter choices: The driver's values that the camera offers; empty if the camera lists none.
    public func driverValue(
        for value: CameraSettingValue, of key: CameraSettingKey, among choices: [String]
    ) -> String? {
        if let known = driverValues?[value.text] {
            return known.first { choices.isEmpty || choices.contains($0) }
        }
        return choices.first { self.value(of: $0, for: key) == value }
            ?? choices.first { $0.lowercased() == value.text.lowercased() }
    }
}

/// The code of a device property, encoded as four hexadecimal digits.
public struct PropertyCode: Codable, Hashable, Sendable {
    /// The code.
    public let value: UInt16

    /// Creates a property code.
    public init(_ value: UInt16) { self.value = value }

    /// Decodes four hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let value = UInt16(text, radix: 16) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "not a property code: \(text)"))
        }
        self.value = value
    }

    /// Encodes four hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        let text = String(value, radix: 16)
        var container = encoder.singleValueContainer()
        try container.encode(String(repeating: "0", count: 4 - text.count) + text)
    }
}

/// The method by which the worker confirms a changed setting.
public enum SettingConfirmation: String, Codable, Hashable, Sendable {
    /// The camera reports the new value in an event. A read does not confirm the value, because the driver
    /// returns its cached value.
    case event
    /// A read directly after the change returns the new value.
    case reading
    /// A read some time after the change returns the new value.
    case later
}
