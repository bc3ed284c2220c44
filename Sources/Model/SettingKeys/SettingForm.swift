/// What a value may be, as it is written in the configuration.
public enum SettingForm: Sendable, Equatable {
    /// Any text that is not empty.
    case text
    /// A naming template.
    case template
    /// An absolute path.
    case path
    /// `true` or `false`.
    case flag
    /// A number of bytes: `"2 GB"`.
    case size
    /// A span of time: `"2 s"`, up to the limit.
    case duration(max: Duration)
    /// One of these words.
    case choice([String])
    /// One or several of these words.
    case words([String])
    /// Names of drivers.
    case drivers
    /// Texts; may be none. The words say what they are.
    case texts(String)
    /// A whole number within bounds.
    case number(ClosedRange<Int>)
    /// How long photos stay: `"7 d"`, `"forever"`, `"until-delivered"`.
    case retention
    /// A camera's name.
    case cameraName
    /// A camera's address.
    case address
    /// A time zone of the IANA database.
    case timeZone
    /// An address and port that only this computer can reach, or `off`.
    case loopback
}

/// A checked value of one key.
public enum SettingValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case bytes(Int64)
    case duration(Duration)
    case list([String])
    case number(Int)
}
