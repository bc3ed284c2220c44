/// A maker's names for a setting and words for its values: data of the maker's profile.
public struct SettingProfile: Codable, Hashable, Sendable {
    /// The driver's names for the setting, best first. The worker uses the first one that the camera has.
    public var names: [String]
    /// The numbers of the properties in the camera's change events, as in ptp.h, or `nil` if the camera does
    /// not report changes.
    public var codes: [PropertyCode]?
    /// The driver's words for each value of FrameFast, preferred first. Numbers need no words.
    public var words: [String: [String]]?
    /// The modes in which the camera accepts the setting, in FrameFast's words, or `nil` if the camera
    /// reports it or it is unknown.
    public var onlyInModes: [String]?
    /// Whether the driver approaches a value step by step, which takes seconds.
    public var walks: Bool?
    /// A setting that must be set first, and stay set while this one applies.
    public var needs: CameraProfile.Setting?

    /// Creates the profile of a setting.
    public init(
        names: [String], codes: [PropertyCode]? = nil, words: [String: [String]]? = nil,
        onlyInModes: [String]? = nil, walks: Bool? = nil
    ) {
        self.names = names
        self.codes = codes
        self.words = words
        self.onlyInModes = onlyInModes
        self.walks = walks
    }

    /// Returns the value in FrameFast's spelling for a driver's word, or `nil` for an unknown word.
    public func value(of word: String, for key: CameraSettingKey) -> CameraSettingValue? {
        if let ours = words?.first(where: { $0.value.contains(word) })?.key {
            return CameraSettingValue(known: ours)
        }
        return key.form == .word ? nil : CameraSettingValue(word, for: key)
    }

    /// Returns the driver's word for a value, or `nil` if the camera offers none.
    ///
    /// - Parameter choices: The values that the camera offers, in the driver's words; empty if it does not
    ///   list them.
    public func word(for value: CameraSettingValue, of key: CameraSettingKey, among choices: [String])
        -> String?
    {
        if let words = words?[value.text] { return words.first { choices.isEmpty || choices.contains($0) } }
        return choices.first { self.value(of: $0, for: key) == value }
            ?? choices.first { $0.lowercased() == value.text.lowercased() }
    }
}

/// The number of a property, encoded as four hexadecimal digits.
public struct PropertyCode: Codable, Hashable, Sendable {
    /// The number.
    public let value: UInt16

    /// Creates a property code.
    public init(_ value: UInt16) { self.value = value }

    /// Decodes four hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count == 4, let value = UInt16(text, radix: 16) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no number: \(text)"))
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

/// The way in which a camera confirms a setting.
public enum SettingConfirmation: String, Codable, Hashable, Sendable {
    /// The camera reports the new value in an event. Reading it proves nothing, because the driver answers
    /// from its cache.
    case event
    /// A read after the change returns the new value.
    case reading
    /// A read some time after the change returns the new value.
    case later
}
