/// The number of a shot: that of its first capture.
///
/// A type of its own, because only one of a shot's captures has the shot's number: a JPEG's number taken for that of its shot
/// would find the JPEG without its RAW, or nothing.
public struct ShotID: Identity, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int64
    /// Takes the number of the ledger.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// For tests.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
    /// The shot that begins with a capture.
    public init(first: CaptureID) { self.init(rawValue: first.rawValue) }
}
