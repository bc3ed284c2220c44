/// The number of an upload job in the ledger: one capture to one destination.
public struct JobID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests, and for 0: before the first, and of no job.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
