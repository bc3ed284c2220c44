/// The number of a group's shot in the ledger: the photos that its cameras take at one moment have it in common.
public struct GroupShotID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
