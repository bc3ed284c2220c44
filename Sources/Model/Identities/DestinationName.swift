/// The name of a destination: the key `name` of its `[[destination]]` table. The name is also the id: the
/// ledger stores it with each job.
public struct DestinationName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Creates a name from the configuration, the ledger or the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a name in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
