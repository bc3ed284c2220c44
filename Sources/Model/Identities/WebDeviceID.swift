/// The number of a paired device of the web page in the ledger.
public struct WebDeviceID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id in tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
