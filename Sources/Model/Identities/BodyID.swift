/// Who a camera is in the ledger, for ever: the body, wherever it is plugged in and whatever it is called.
///
/// Not a ``CameraID``: that one may be a port, and two bodies that give the same serial number may change their places.
/// `CameraBodies` decides who is who.
public struct BodyID: Identity, ExpressibleByStringLiteral {
    /// The text in the ledger: from maker and serial number where these tell bodies apart.
    public let rawValue: String
    /// Takes the text of the ledger.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
