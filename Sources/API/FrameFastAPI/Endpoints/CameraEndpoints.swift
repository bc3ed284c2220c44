/// Endpoints for cameras and camera discovery.
public struct CameraEndpoints: Sendable {
    /// Lists all cameras.
    public let list = Endpoint<NoPath, NoInput, CamerasReply>(.get, "/cameras", .read, "All cameras")
    /// Returns one camera.
    public let get = Endpoint<CameraReference, NoInput, CameraReply>(
        .get, "/cameras/{id}", .read, "One camera")
    /// Adds a network camera, which the daemon keeps connected.
    public let add = Endpoint<NoPath, CameraAddRequest, CameraReply>(
        .post, "/cameras", .control, "Keep a camera on the network connected", status: 201,
        errors: [.conflict, .invalid])
    /// Renames a camera.
    public let rename = Endpoint<CameraReference, CameraRenameRequest, CameraReply>(
        .post, "/cameras/{id}/rename", .control, "Call a camera something else",
        errors: [.conflict, .invalid])
    /// Ignores a camera, or stops ignoring it.
    public let ignore = Endpoint<CameraReference, CameraIgnoreRequest, CameraReply>(
        .post, "/cameras/{id}/ignore", .control, "Leave a camera alone, or use it again", errors: [.conflict])
    /// Forgets a camera that is not connected and returns the others.
    public let forget = Endpoint<CameraReference, NoInput, CamerasReply>(
        .post, "/cameras/{id}/forget", .control, "Forget a camera that is not there", errors: [.conflict])
    /// Releases the shutter of one camera.
    public let trigger = Endpoint<CameraReference, NoInput, TriggerReply>(
        .post, "/cameras/{id}/trigger", .control, "Release the shutter of one camera",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Releases the shutter of every ready camera. The reply lists the cameras that did not release.
    public let triggerAll = Endpoint<NoPath, NoInput, TriggerReply>(
        .post, "/trigger", .control, "Release the shutter of every ready camera", errors: [.conflict])
    /// Returns one frame of live view.
    public let livePicture = Endpoint<CameraReference, LiveViewRequest, LivePicture>(
        picture: "/cameras/{id}/live.jpg", .control, "What one camera sees now, as a JPEG",
        errors: LiveViewRequest.errors)
    /// Streams live view.
    public let livePictures = Endpoint<CameraReference, LiveViewRequest, LivePictures>(
        pictures: "/cameras/{id}/live.mjpeg", .control, "What one camera sees, frame by frame",
        explanation: """
            One JPEG a part, as browsers show in an image. Live view begins with the first reader and ends some seconds
            after the last; photos go before frames. A reader that is slow misses frames. The stream ends with live view,
            and after half an hour in any case; the trailer framefast-error contains the reason, as JSON.
            """, errors: LiveViewRequest.errors)
    /// Returns a camera's settings. The daemon reads them from the camera, which may be slow.
    public let settings = Endpoint<CameraReference, SettingsQuery, SettingsReply>(
        .get, "/cameras/{id}/settings", .read, "What a camera is set to, and what it offers",
        errors: [.conflict, .unsupported, .cameraFailed], timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Changes camera settings and returns the result of each change.
    public let changeSettings = Endpoint<CameraReference, SettingsChangeRequest, SettingsChangeReply>(
        .patch, "/cameras/{id}/settings", .control, "Change what a camera is set to",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Returns the drift of one camera's clock.
    public let clock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .get, "/cameras/{id}/clock", .read, "How far the clock of one camera is off", errors: [.conflict])
    /// Returns the drift of the clocks of all connected cameras.
    public let clocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .get, "/clock", .read, "How far the clocks of all connected cameras are off")
    /// Sets the clock of one camera.
    public let setClock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .post, "/cameras/{id}/clock", .control, "Set the clock of one camera to this computer's time",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Sets the clocks of all connected cameras. The reply lists the cameras whose clock could not be set.
    public let setClocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .post, "/clock", .control, "Set the clocks of all connected cameras to this computer's time",
        errors: [.conflict])
    /// Returns the manufacturer picker.
    public let makers = Endpoint<NoPath, NoInput, MakersReply>(
        .get, "/makers", .read, "The manufacturer picker, detected makers first")
    /// Searches the network for cameras. Each step of a search has its own timeout. The client waits longer
    /// than all of them together, in case a host answers very slowly.
    public let discover = Endpoint<NoPath, DiscoveryRequest, DiscoveryReply>(
        .post, "/discover", .control, "Look for cameras on the network", errors: [.invalid],
        timeoutSeconds: 75)
}

/// Client timeouts of slow camera operations.
enum CameraTimeout {
    /// The timeout for settings, in seconds. Older Sony bodies step through the values for up to a minute.
    static let settingsSeconds = 120
}
