/// The number of a capture in the ledger; grows in the order in which captures were heard of.
public struct CaptureID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests, and for 0: before the first.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
