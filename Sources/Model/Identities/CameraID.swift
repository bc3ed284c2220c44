/// Who a camera is in the fleet and in the API. Stable, whatever people call the camera.
///
/// Made in the fleet: the table of a camera that the configuration names, else maker and serial number, else the port. A name
/// that a person gives is none; the daemon looks up whose name it is.
public struct CameraID: Identity, ExpressibleByStringLiteral {
    /// The text on the wire.
    public let rawValue: String
    /// Takes the text of the wire or of the ledger.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
