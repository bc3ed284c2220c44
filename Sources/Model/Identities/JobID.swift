/// The number of an upload job in the ledger. A job is one capture for one destination.
public struct JobID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id in tests, and 0, which is before the first job and the id of no job.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
