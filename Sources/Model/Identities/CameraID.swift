/// The id of a camera in the service and in the API.
///
/// For a configured camera, the id is the name in its table. For other cameras, the id is derived from maker
/// and serial number, or from the port, and does not depend on the camera's name. The daemon converts camera
/// names from people into ids.
public struct CameraID: Identity, ExpressibleByStringLiteral {
    /// The text on the wire.
    public let rawValue: String
    /// Creates an id from the text on the wire or in the ledger.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an id in tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
