/// Endpoints for the devices that may use the web page. Only the Unix socket has these endpoints.
public struct WebEndpoints: Sendable {
    /// Opens a code with which devices can pair.
    public let pair = Endpoint<NoPath, WebPairRequest, WebCodeReply>(
        .post, "/web/codes", .control, "Open a code that pairs devices with the web page", status: 201,
        errors: [.notFound, .conflict, .invalid])
    /// Lists the paired devices, oldest first. Requires control, because the names of devices are not public.
    public let devices = Endpoint<NoPath, NoInput, WebDevicesReply>(
        .get, "/web/devices", .control, "Devices that may use the web page, oldest first")
    /// Revokes a device, and returns the remaining devices.
    public let revoke = Endpoint<WebDeviceID, NoInput, WebDevicesReply>(
        .delete, "/web/devices/{id}", .control, "Revoke a device. Its next request is refused",
        subject: "a device with id")
}
