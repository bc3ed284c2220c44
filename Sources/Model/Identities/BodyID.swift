/// The identity of a camera body in the ledger. The identity does not change if the body's port or name
/// changes.
///
/// A ``CameraID`` may be derived from a port. If a person swaps the ports of two bodies with the same serial
/// number, such an ID refers to the other body. `CameraBodies` determines the body of a camera.
public struct BodyID: Identity, ExpressibleByStringLiteral {
    /// The text in the ledger. If maker and serial number identify the body, the text is derived from them.
    public let rawValue: String
    /// Creates an identity from the ledger's text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identity in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
