/// The variable part of a path.
public protocol PathValue: Sendable {
    /// Parses the decoded segment, or returns `nil` if the text is invalid.
    init?(pathText: String)
    /// The segment, not yet percent-encoded.
    var pathText: String { get }
    /// Whether the segment is a number.
    static var isNumber: Bool { get }
}

extension PathValue {
    /// `false`: the segment is a text.
    public static var isNumber: Bool { false }
}

/// The path value of a path without a variable part.
public struct NoPath: PathValue {
    /// Creates an empty path value.
    public init() {}
    /// Creates an empty path value. Ignores the text, because the path has no variable segment.
    public init?(pathText: String) {}
    /// The empty text.
    public var pathText: String { "" }
}

extension PathValue where Self: Identity {
    /// Whether the raw value is a number.
    public static var isNumber: Bool { RawValue.self is any BinaryInteger.Type }
    /// Parses the raw value, or returns `nil` if the raw value is a number and the text is not.
    public init?(pathText: String) {
        guard let value = RawValue(pathText) else { return nil }
        self.init(rawValue: value)
    }
    /// The raw value as text.
    public var pathText: String { description }
}

extension CaptureID: PathValue {}
extension ShotID: PathValue {}
extension SessionID: PathValue {}
extension DestinationName: PathValue {}
extension PresetName: PathValue {}
extension GroupName: PathValue {}
extension WebDeviceID: PathValue {}

extension CameraReference: PathValue {
    /// Creates a reference from any text.
    public init?(pathText: String) { self.init(rawValue: pathText) }
    /// The text of the reference.
    public var pathText: String { rawValue }
}
