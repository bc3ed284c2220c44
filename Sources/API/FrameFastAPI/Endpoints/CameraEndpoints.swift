/// Endpoints for cameras and camera discovery.
public struct CameraEndpoints: Sendable {
    /// Lists all cameras.
    public let list = Endpoint<NoPath, NoInput, CamerasReply>(.get, "/cameras", .read, "All cameras")
    /// Returns one camera.
    public let get = Endpoint<CameraReference, NoInput, CameraReply>(
        .get, "/cameras/{id}", .read, "One camera")
    /// Adds a network camera, which the daemon keeps connected.
    public let add = Endpoint<NoPath, CameraAddRequest, CameraReply>(
        .post, "/cameras", .control, "Connect a network camera and keep it connected", status: 201,
        errors: [.conflict, .invalid])
    /// Renames a camera.
    public let rename = Endpoint<CameraReference, CameraRenameRequest, CameraReply>(
        .post, "/cameras/{id}/rename", .control, "Rename a camera",
        errors: [.conflict, .invalid])
    /// Ignores a camera, or stops ignoring it.
    public let ignore = Endpoint<CameraReference, CameraIgnoreRequest, CameraReply>(
        .post, "/cameras/{id}/ignore", .control, "Ignore a camera, or stop ignoring it", errors: [.conflict])
    /// Forgets a camera that is not connected, and returns the remaining cameras.
    public let forget = Endpoint<CameraReference, NoInput, CamerasReply>(
        .post, "/cameras/{id}/forget", .control, "Forget a disconnected camera", errors: [.conflict])
    /// Releases the shutter of one camera.
    public let trigger = Endpoint<CameraReference, NoInput, TriggerReply>(
        .post, "/cameras/{id}/trigger", .control, "Release the shutter of one camera",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Releases the shutter of every ready camera. The reply lists the cameras that did not release.
    public let triggerAll = Endpoint<NoPath, NoInput, TriggerReply>(
        .post, "/trigger", .control, "Release the shutter of every ready camera", errors: [.conflict])
    /// Returns one frame of live view.
    public let livePicture = Endpoint<CameraReference, LiveViewRequest, LivePicture>(
        picture: "/cameras/{id}/live.jpg", .control, "Current live view frame of one camera, as a JPEG",
        errors: LiveViewRequest.errors)
    /// Streams live view.
    public let livePictures = Endpoint<CameraReference, LiveViewRequest, LivePictures>(
        pictures: "/cameras/{id}/live.mjpeg", .control, "Live view stream of one camera",
        explanation: """
            A multipart stream of JPEGs, which browsers show as an image. Live view starts when the first reader connects,
            and ends some seconds after the last reader disconnects. Transfers of photos have priority over frames. A slow reader misses
            frames. The stream ends with live view, or after half an hour. The trailer framefast-error contains the reason,
            as JSON.
            """, errors: LiveViewRequest.errors)
    /// Returns a camera's settings. The daemon reads them from the camera, which may be slow.
    public let settings = Endpoint<CameraReference, SettingsQuery, SettingsReply>(
        .get, "/cameras/{id}/settings", .read, "Settings of a camera, with their choices",
        errors: [.conflict, .unsupported, .cameraFailed], timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Changes camera settings and returns the result of each change.
    public let changeSettings = Endpoint<CameraReference, SettingsChangeRequest, SettingsChangeReply>(
        .patch, "/cameras/{id}/settings", .control, "Change settings of a camera",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Returns the drift of one camera's clock.
    public let clock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .get, "/cameras/{id}/clock", .read, "Clock drift of one camera", errors: [.conflict])
    /// Returns the drift of the clocks of all connected cameras.
    public let clocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .get, "/clock", .read, "Clock drift of all connected cameras")
    /// Sets the clock of one camera.
    public let setClock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .post, "/cameras/{id}/clock", .control, "Set the clock of one camera to this computer's time",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Sets the clocks of all connected cameras. The reply lists the cameras whose clock could not be set.
    public let setClocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .post, "/clock", .control, "Set the clocks of all connected cameras to this computer's time",
        errors: [.conflict])
    /// Returns the makers from which a person can choose, detected makers first.
    public let makers = Endpoint<NoPath, NoInput, MakersReply>(
        .get, "/makers", .read, "Makers for a picker, detected makers first")
    /// Searches the network for cameras. Each step of a search has its own timeout. The client's timeout is
    /// longer than the sum of these timeouts, in case a host responds very slowly.
    public let discover = Endpoint<NoPath, DiscoveryRequest, DiscoveryReply>(
        .post, "/discover", .control, "Find cameras on the network", errors: [.invalid],
        timeoutSeconds: 75)
}

/// Client timeouts of slow camera operations.
enum CameraTimeout {
    /// The timeout for settings, in seconds. The worker steps through the values of older Sony cameras for up
    /// to a minute.
    static let settingsSeconds = 120
}
