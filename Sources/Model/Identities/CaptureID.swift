/// The number of a capture in the ledger. Numbers grow in the order of the first announcements.
public struct CaptureID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id from a literal: in tests, and for 0, which is lower than every capture's number.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
