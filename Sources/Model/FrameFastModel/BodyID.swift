/// Who a camera is in the ledger, for ever: the body, wherever it is plugged in and whatever it is called.
///
/// Not the id under which the fleet and the API know a camera (``CameraStatus/id``): that one may be its port, and two bodies
/// that give the same serial number may change their places. ``CameraBodies`` decides who is who.
public struct BodyID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The text in the ledger: from maker and serial number where these tell bodies apart.
    public let rawValue: String

    /// Takes the text of the ledger.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By their texts.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

extension BodyID: ExpressibleByStringLiteral, CustomStringConvertible {
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// The text in the ledger.
    public var description: String { rawValue }
}
