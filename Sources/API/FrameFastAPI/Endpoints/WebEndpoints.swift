/// The page for the studio and its clients: who is let in.
public struct WebEndpoints: Sendable {
    /// Opens a code.
    public let pair = Endpoint<NoPath, WebPairRequest, WebPairReply>(
        .post, "/web/pair", .control, "Open a code with which devices are let in, for ten minutes",
        errors: [.invalid, .conflict])
    /// Devices that were let in.
    public let devices = Endpoint<NoPath, NoInput, WebDevicesReply>(
        .get, "/web/devices", .read, "Devices that were let in")
    /// Shuts a device out.
    public let revoke = Endpoint<WebDeviceID, NoInput, WebDevicesReply>(
        .delete, "/web/devices/{id}", .control, "Shut a device out; gives the others")
}

/// A device, by what `web devices` lists: `d7`.
public struct WebDeviceID: PathValue, Hashable, Sendable {
    /// The word.
    public var pathText: String
    /// Takes any word.
    public init?(pathText: String) { self.pathText = pathText }
    /// Takes any word.
    public init(_ text: String) { pathText = text }
}
