/// How a maker's driver calls a setting, and its words for the values: data of the maker's profile.
public struct SettingHabit: Codable, Hashable, Sendable {
    /// The driver's names for it, the better one first: the first that the camera has is used.
    public var names: [String]
    /// Numbers of the properties by which the camera tells that it changed, as in ptp.h; `nil` where it does not tell.
    public var codes: [PropertyCode]?
    /// The driver's words for our values, the one to set first. Numbers need none.
    public var words: [String: [String]]?
    /// Modes in which the camera takes the setting, in our words; `nil` where it says so itself, or nobody knows.
    public var onlyInModes: [String]?
    /// Whether the driver walks to a value step by step, which takes seconds.
    public var walks: Bool?
    /// What must be set before, and stays so as long as the setting is to hold.
    public var needs: CameraHabits.Setting?

    /// Creates a habit.
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

    /// A value in our spelling for what the driver says; `nil` for a word that is not known.
    public func value(of word: String, for key: CameraSettingKey) -> CameraSettingValue? {
        if let ours = words?.first(where: { $0.value.contains(word) })?.key {
            return CameraSettingValue(known: ours)
        }
        return key.form == .word ? nil : CameraSettingValue(word, for: key)
    }

    /// The driver's word for a value of ours; `nil` where there is none among what the camera offers.
    ///
    /// - Parameter choices: what the camera offers in the driver's words; empty when it offers no list.
    public func word(for value: CameraSettingValue, of key: CameraSettingKey, among choices: [String])
        -> String?
    {
        if let words = words?[value.text] { return words.first { choices.isEmpty || choices.contains($0) } }
        return choices.first { self.value(of: $0, for: key) == value }
            ?? choices.first { $0.lowercased() == value.text.lowercased() }
    }
}

/// The number of a property, written as four hexadecimal digits.
public struct PropertyCode: Codable, Hashable, Sendable {
    /// The number.
    public let value: UInt16

    /// Creates a number.
    public init(_ value: UInt16) { self.value = value }

    /// Reads four hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count == 4, let value = UInt16(text, radix: 16) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no number: \(text)"))
        }
        self.value = value
    }

    /// Writes four hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        let text = String(value, radix: 16)
        var container = encoder.singleValueContainer()
        try container.encode(String(repeating: "0", count: 4 - text.count) + text)
    }
}

/// How a camera shows that it took a setting.
public enum SettingConfirmation: String, Codable, Hashable, Sendable {
    /// It tells of the new value by itself; to read it says nothing, because the driver answers from its memory.
    case event
    /// It says so when it is asked.
    case reading
    /// It says so when it is asked a while later.
    case later
}
