/// The number of a session in the ledger.
public struct SessionID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
