/// The number of a shot: the number of its first capture.
///
/// The type differs from ``CaptureID``, because only the first capture of a shot has the shot's number. A
/// query for a shot by the number of its second capture finds nothing.
public struct ShotID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id in tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
    /// Creates the id of a shot from the number of its first capture.
    public init(first: CaptureID) { self.init(rawValue: first.rawValue) }
}
