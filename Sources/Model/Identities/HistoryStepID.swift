/// The number of a step in the history of captures; grows in the order in which things happened.
public struct HistoryStepID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests, and for 0: before the first.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
