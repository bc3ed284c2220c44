/// `POST /v1/web/session`: exchanges a pairing code for the cookie of a device. Only the server of the web
/// page accepts this request.
public struct WebSessionRequest: WireRequest {
    /// The code, for example `K7QM-4R2P`.
    public var code: String
    /// The name of the person or device. The service removes control characters and shortens a long name.
    public var name: String
}
