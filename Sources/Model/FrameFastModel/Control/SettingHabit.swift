/// How a maker's driver calls a setting, and its words for the values: data of the maker's profile.
public struct SettingHabit: Codable, Hashable, Sendable {
    /// The driver's names for it, the better one first: the first that the camera has is used.
    public var names: [String]
    /// The driver's words for our values, the one to set first. Numbers need none.
    public var words: [String: [String]]?
    /// Modes in which the camera takes the setting, in our words; `nil` where it says so itself, or nobody knows.
    public var onlyInModes: [String]?
    /// Whether the driver walks to a value step by step, which takes seconds.
    public var walks: Bool?

    /// Creates a habit.
    public init(
        names: [String], words: [String: [String]]? = nil, onlyInModes: [String]? = nil, walks: Bool? = nil
    ) {
        self.names = names
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
    }
}
