/// Cameras, and how they are found.
public struct CameraEndpoints: Sendable {
    /// All cameras.
    public let list = Endpoint<NoPath, NoInput, CamerasReply>(.get, "/cameras", .read, "All cameras")
    /// One camera.
    public let get = Endpoint<CameraReference, NoInput, CameraReply>(
        .get, "/cameras/{id}", .read, "One camera")
    /// Keeps a camera on the network connected.
    public let add = Endpoint<NoPath, CameraAddRequest, CameraReply>(
        .post, "/cameras", .control, "Keep a camera on the network connected", status: 201,
        errors: [.conflict, .invalid])
    /// Calls a camera something else.
    public let rename = Endpoint<CameraReference, CameraRenameRequest, CameraReply>(
        .post, "/cameras/{id}/rename", .control, "Call a camera something else",
        errors: [.conflict, .invalid])
    /// Leaves a camera alone, or uses it again.
    public let ignore = Endpoint<CameraReference, CameraIgnoreRequest, CameraReply>(
        .post, "/cameras/{id}/ignore", .control, "Leave a camera alone, or use it again", errors: [.conflict])
    /// Forgets a camera that is not there; gives the others.
    public let forget = Endpoint<CameraReference, NoInput, CamerasReply>(
        .post, "/cameras/{id}/forget", .control, "Forget a camera that is not there", errors: [.conflict])
    /// Releases the shutter of one camera.
    public let trigger = Endpoint<CameraReference, NoInput, TriggerReply>(
        .post, "/cameras/{id}/trigger", .control, "Release the shutter of one camera",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Releases the shutter of every ready camera; those that cannot are told in the answer.
    public let triggerAll = Endpoint<NoPath, NoInput, TriggerReply>(
        .post, "/trigger", .control, "Release the shutter of every ready camera", errors: [.conflict])
    /// One frame of live view.
    public let livePicture = Endpoint<CameraReference, LiveViewRequest, LivePicture>(
        picture: "/cameras/{id}/live.jpg", .control, "What one camera sees now, as a JPEG",
        errors: LiveViewRequest.errors)
    /// Live view.
    public let livePictures = Endpoint<CameraReference, LiveViewRequest, LivePictures>(
        pictures: "/cameras/{id}/live.mjpeg", .control, "What one camera sees, frame by frame",
        explanation: """
            One JPEG a part, as browsers show in an image. Live view begins with the first reader and ends some seconds
            after the last; photos go before frames. A reader that is slow misses frames. The stream ends with live view,
            and after half an hour in any case; the trailer framefast-error contains the reason, as JSON.
            """, errors: LiveViewRequest.errors)
    /// What a camera is set to. Read from the camera, so a client waits for a slow one.
    public let settings = Endpoint<CameraReference, SettingsQuery, SettingsReply>(
        .get, "/cameras/{id}/settings", .read, "What a camera is set to, and what it offers",
        errors: [.conflict, .unsupported, .cameraFailed], patienceSeconds: CameraPatience.settingsSeconds)
    /// Changes settings; says for each what became of it.
    public let changeSettings = Endpoint<CameraReference, SettingsChangeRequest, SettingsChangeReply>(
        .patch, "/cameras/{id}/settings", .control, "Change what a camera is set to",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        patienceSeconds: CameraPatience.settingsSeconds)
    /// How far the clock of one camera is off.
    public let clock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .get, "/cameras/{id}/clock", .read, "How far the clock of one camera is off", errors: [.conflict])
    /// How far the clocks of all connected cameras are off.
    public let clocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .get, "/clock", .read, "How far the clocks of all connected cameras are off")
    /// Sets the clock of one camera.
    public let setClock = Endpoint<CameraReference, NoInput, ClocksReply>(
        .post, "/cameras/{id}/clock", .control, "Set the clock of one camera to this computer's time",
        errors: [.conflict, .unsupported, .cameraFailed])
    /// Sets the clocks of all connected cameras; those that cannot are told in the answer.
    public let setClocks = Endpoint<NoPath, NoInput, ClocksReply>(
        .post, "/clock", .control, "Set the clocks of all connected cameras to this computer's time",
        errors: [.conflict])
    /// The manufacturer picker.
    public let makers = Endpoint<NoPath, NoInput, MakersReply>(
        .get, "/makers", .read, "The manufacturer picker, detected makers first")
    /// Looks for cameras on the network. Every step of a search has its own end, so a client waits longer than all of them
    /// where something drips its answers.
    public let discover = Endpoint<NoPath, DiscoveryRequest, DiscoveryReply>(
        .post, "/discover", .control, "Look for cameras on the network", errors: [.invalid],
        patienceSeconds: 75)
}

/// How long a client waits for what cameras do slowly.
enum CameraPatience {
    /// Older Sony bodies walk to a value step by step, for up to a minute.
    static let settingsSeconds = 120
}
