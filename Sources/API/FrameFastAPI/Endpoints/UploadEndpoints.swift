/// Endpoints for the upload queue and its mode.
public struct UploadEndpoints: Sendable {
    /// Lists uploads in pages, newest first.
    public let list = Endpoint<NoPath, UploadsQuery, UploadsReply>(
        .get, "/uploads", .read, "Upload jobs, newest first, page by page", errors: [.invalid])
    /// Pauses all destinations.
    public let pause = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/pause", .control, "Send nothing more to any destination")
    /// Resumes all destinations.
    public let resume = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/resume", .control, "Send to every destination again")
    /// Retries failed and retrying uploads now.
    public let retry = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/retry", .control, "Try failed and retrying uploads again, now",
        errors: [.notFound, .invalid])
    /// Holds uploads that are not being sent yet.
    public let hold = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/hold", .control, "Keep uploads back until they are released",
        errors: [.notFound, .invalid])
    /// Releases held uploads into the queue.
    public let release = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/release", .control, "Let held uploads go; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// Sends undelivered uploads before all others, even if they are held or failed.
    public let first = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/first", .control,
        "Send uploads before all others, also held and failed ones; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// Drops uploads that are not delivered.
    public let drop = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/drop", .control, "Forget uploads that are not delivered; files stay",
        errors: [.notFound, .invalid])
    /// Creates uploads to a destination for photos that have none there.
    public let add = Endpoint<NoPath, UploadAddRequest, UploadChangeReply>(
        .post, "/uploads/add", .control,
        "Send photos to a destination, also late; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// Returns when photos are uploaded.
    public let mode = Endpoint<NoPath, NoInput, ModeReply>(.get, "/mode", .read, "When photos are uploaded")
    /// Changes when photos are uploaded.
    public let setMode = Endpoint<NoPath, ModeRequest, ModeReply>(
        .post, "/mode", .control, "Change when photos are uploaded, at once", errors: [.invalid])
}
