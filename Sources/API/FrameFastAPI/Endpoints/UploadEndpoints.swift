/// Endpoints for the upload queue and its mode.
public struct UploadEndpoints: Sendable {
    /// Lists uploads in pages, newest first.
    public let list = Endpoint<NoPath, UploadsQuery, UploadsReply>(
        .get, "/uploads", .read, "Upload jobs, newest first, page by page", errors: [.invalid])
    /// Pauses all destinations.
    public let pause = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/pause", .control, "Pause uploads to all destinations")
    /// Resumes all destinations.
    public let resume = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/resume", .control, "Resume uploads to all destinations")
    /// Retries failed and retrying uploads now.
    public let retry = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/retry", .control, "Retry failed and retrying uploads now",
        errors: [.notFound, .invalid])
    /// Holds undelivered uploads, and stops running ones.
    public let hold = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/hold", .control, "Hold uploads until they are released",
        errors: [.notFound, .invalid])
    /// Releases held uploads into the queue.
    public let release = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/release", .control, "Release held uploads (unsorted photos only by ids)",
        errors: [.notFound, .invalid])
    /// Moves undelivered uploads to the front of the queue, including held and failed uploads.
    public let first = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/first", .control,
        "Move uploads to the front, including held and failed uploads (unsorted photos only by ids)",
        errors: [.notFound, .invalid])
    /// Drops uploads that are not delivered.
    public let drop = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/drop", .control, "Drop undelivered uploads, and keep the files",
        errors: [.notFound, .invalid])
    /// Creates uploads of photos to a destination. Releases or retries undelivered uploads that already
    /// exist.
    public let add = Endpoint<NoPath, UploadAddRequest, UploadChangeReply>(
        .post, "/uploads/add", .control,
        "Add photos to a destination's queue (unsorted photos only by ids)",
        errors: [.notFound, .invalid])
    /// Returns the upload mode.
    public let mode = Endpoint<NoPath, NoInput, ModeReply>(.get, "/mode", .read, "The upload mode")
    /// Changes the upload mode.
    public let setMode = Endpoint<NoPath, ModeRequest, ModeReply>(
        .post, "/mode", .control, "Change the upload mode now", errors: [.invalid])
}
