/// The id of a camera in the service and in the API. Independent of the camera's name.
///
/// The camera fleet derives it from the table of a configured camera, else from maker and serial number, else
/// from the port. A name that a person chose is not an id; the daemon resolves names.
public struct CameraID: Identity, ExpressibleByStringLiteral {
    /// The text on the wire.
    public let rawValue: String
    /// Creates an id from the text on the wire or in the ledger.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an id in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
