/// The name of a preset: the name of its file, which is also its id.
public struct PresetName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Creates a name from a file or from the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a name in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
