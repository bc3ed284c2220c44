/// Which preset: the name of its file. Like a destination, its name is its id.
public struct PresetName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes the name of a file or of the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
