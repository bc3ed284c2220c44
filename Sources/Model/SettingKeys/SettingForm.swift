/// The form of a value in the configuration file.
public enum SettingForm: Sendable, Equatable {
    /// Text that is not empty.
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
    /// One of these keywords.
    case choice([String])
    /// One or more of these keywords.
    case words([String])
    /// A list of driver names.
    case drivers
    /// A list of texts, which may be empty. The associated value describes the texts for people.
    case texts(String)
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// A retention time: `"7 d"`, `"forever"` or `"until-delivered"`.
    case retention
    /// A camera's name.
    case cameraName
    /// A camera's network address.
    case address
    /// A time zone of the IANA database.
    case timeZone
    /// A loopback address and port, or `off`.
    case loopback
    /// The place where the web page listens: a loopback address and port, `lan`, `lan:PORT`, or empty.
    case webAddress
}

/// A validated value of a key.
public enum SettingValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case bytes(Int64)
    case duration(Duration)
    case list([String])
    case number(Int)
}
