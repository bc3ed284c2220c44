/// The name of a group of cameras: the name of its table in the configuration. The name is also the id.
public struct GroupName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Creates a name from a table or from the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a name in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
