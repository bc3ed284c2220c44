/// Endpoints for long-running camera operations. A camera runs one operation at a time.
public struct OperationEndpoints: Sendable {
    private static let refusals: [ErrorReply.Code] = [.conflict, .invalid, .unsupported, .cameraFailed]

    /// Returns the operation of a camera.
    public let get = Endpoint<CameraReference, NoInput, CameraOperationReply>(
        .get, "/cameras/{id}/operation", .read, "Current or last operation of one camera")
    /// Takes a long exposure (bulb).
    public let bulb = Endpoint<CameraReference, BulbRequest, CameraOperationReply>(
        .post, "/cameras/{id}/bulb", .control, "Take a long exposure (bulb)", errors: refusals)
    /// Takes photos at a fixed interval.
    public let interval = Endpoint<CameraReference, IntervalRequest, IntervalReply>(
        .post, "/cameras/{id}/interval", .control,
        "Take photos at a fixed interval, which continues after a restart",
        errors: refusals)
    /// Returns the interval of a camera.
    public let getInterval = Endpoint<CameraReference, NoInput, IntervalReply>(
        .get, "/cameras/{id}/interval", .read, "The interval of one camera, with missed photos")
    /// Takes photos at several exposures.
    public let bracket = Endpoint<CameraReference, BracketRequest, CameraOperationReply>(
        .post, "/cameras/{id}/bracket", .control, "Take photos at several exposures", errors: refusals)
    /// Takes photos at several focus positions.
    public let stack = Endpoint<CameraReference, FocusStackRequest, CameraOperationReply>(
        .post, "/cameras/{id}/stack", .control, "Take photos at several focus positions",
        errors: refusals)
    /// Focuses the camera automatically, or moves the focus.
    public let focus = Endpoint<CameraReference, FocusRequest, CameraOperationReply>(
        .post, "/cameras/{id}/focus", .control, "Focus one camera automatically, or move its focus",
        errors: refusals)
    /// Records a movie.
    public let movie = Endpoint<CameraReference, MovieRequest, CameraOperationReply>(
        .post, "/cameras/{id}/movie", .control, "Record a movie", errors: refusals)
    /// Stops the running operation or live view.
    public let stop = Endpoint<CameraReference, NoInput, CameraOperationReply>(
        .post, "/cameras/{id}/stop", .control, "Stop the operation of one camera, or its live view",
        errors: [.conflict, .cameraFailed])
}
