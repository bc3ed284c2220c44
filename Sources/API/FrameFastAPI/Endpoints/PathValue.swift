/// What varies in a path.
public protocol PathValue: Sendable {
    /// Reads it from the decoded segment; `nil` when it can be none.
    init?(pathText: String)
    /// The segment before it is encoded.
    var pathText: String { get }
    /// Whether the segment is a number.
    static var isNumber: Bool { get }
}

extension PathValue {
    /// Any text.
    public static var isNumber: Bool { false }
}

/// Nothing varies.
public struct NoPath: PathValue {
    /// Creates nothing.
    public init() {}
    /// Takes anything: there is no segment.
    public init?(pathText: String) {}
    /// Nothing.
    public var pathText: String { "" }
}

extension PathValue where Self: Identity {
    /// Whether the raw value is one.
    public static var isNumber: Bool { RawValue.self is any BinaryInteger.Type }
    /// Reads the raw value: a number where it is one.
    public init?(pathText: String) {
        guard let value = RawValue(pathText) else { return nil }
        self.init(rawValue: value)
    }
    /// The raw value as text.
    public var pathText: String { description }
}

extension CaptureID: PathValue {}
extension SessionID: PathValue {}
extension DestinationName: PathValue {}
extension PresetName: PathValue {}
extension GroupName: PathValue {}

extension CameraReference: PathValue {
    /// Takes any word.
    public init?(pathText: String) { self.init(rawValue: pathText) }
    /// The word.
    public var pathText: String { rawValue }
}
