/// Which group of cameras: the name of its table in the configuration. Like a destination, its name is its id.
public struct GroupName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes the name of a table or of the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
