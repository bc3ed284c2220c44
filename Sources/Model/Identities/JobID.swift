/// The number of an upload job in the ledger. A job uploads one capture to one destination.
public struct JobID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id from a literal: in tests, and for 0, which is lower than every job's number.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
