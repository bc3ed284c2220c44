/// The number of a shot: the number of its first capture.
///
/// A separate type, because only the first capture of a shot has the shot's number. The number of a JPEG,
/// used as a shot's number, would find the JPEG without its RAW, or nothing.
public struct ShotID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Creates an id from the ledger's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Creates an id in tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
    /// Creates the id of the shot whose first capture this is.
    public init(first: CaptureID) { self.init(rawValue: first.rawValue) }
}
