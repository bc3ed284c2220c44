/// The identity of a camera body in the ledger, permanent whatever its port and its name.
///
/// Different from a ``CameraID``, which may be a port. Two bodies with the same serial number may be swapped
/// between ports. `CameraBodies` identifies bodies.
public struct BodyID: Identity, ExpressibleByStringLiteral {
    /// The text in the ledger, derived from maker and serial number if these identify the body.
    public let rawValue: String
    /// Creates an identity from the ledger's text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identity in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
