/// The form of a configuration value, as it is written in the file.
public enum SettingForm: Sendable, Equatable {
    /// A text that is not empty.
    case text
    /// A naming template.
    case template
    /// An absolute path.
    case path
    /// `true` or `false`.
    case flag
    /// A number of bytes, for example `"2 GB"`.
    case size
    /// A duration up to the limit, for example `"2 s"`.
    case duration(max: Duration)
    /// One of these words.
    case choice([String])
    /// One or more of these words.
    case words([String])
    /// Names of drivers.
    case drivers
    /// A list of texts, which may be empty. The associated value names them for people.
    case texts(String)
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// A retention time: `"7 d"`, `"forever"` or `"until-delivered"`.
    case retention
    /// A camera's name.
    case cameraName
    /// A camera's address.
    case address
    /// A time zone of the IANA database.
    case timeZone
    /// A loopback address and port, or `off`.
    case loopback
}

/// A validated value of one key.
public enum SettingValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case bytes(Int64)
    case duration(Duration)
    case list([String])
    case number(Int)
}
