/// The addresses of the two ends of a connection to the page.
struct WebPeer: Hashable, Sendable {
    /// The address of the device.
    let remote: IPAddress
    /// The address of this computer that the device connected to.
    let local: IPAddress
    /// Whether the connection uses TLS.
    let isEncrypted: Bool

    /// Whether the server may serve the device.
    ///
    /// A device with a global address is refused even if the server listens on a global address. A
    /// router that forwards a port would otherwise open the page to the internet.
    var isAllowed: Bool { remote.scope != .global }

    /// The scheme of the page's URLs.
    var scheme: String { isEncrypted ? "https" : "http" }
}
