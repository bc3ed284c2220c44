/// The upload queue and its mode.
public struct UploadEndpoints: Sendable {
    /// A page of jobs, newest first.
    public let list = Endpoint<NoPath, UploadsQuery, UploadsReply>(
        .get, "/uploads", .read, "Upload jobs, newest first, page by page", errors: [.invalid])
    /// Sends nothing more to any destination.
    public let pause = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/pause", .control, "Send nothing more to any destination")
    /// Sends to every destination again.
    public let resume = Endpoint<NoPath, NoInput, DestinationsReply>(
        .post, "/uploads/resume", .control, "Send to every destination again")
    /// Tries `failed` and `waiting` ones again.
    public let retry = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/retry", .control, "Try failed and retrying uploads again, now",
        errors: [.notFound, .invalid])
    /// Keeps back what is not being sent yet.
    public let hold = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/hold", .control, "Keep uploads back until they are released",
        errors: [.notFound, .invalid])
    /// Lets `held` ones go out when it is their turn.
    public let release = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/release", .control, "Let held uploads go; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// Sends what is not delivered before all others, whatever keeps it back.
    public let first = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/first", .control,
        "Send uploads before all others, also held and failed ones; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// Forgets all but `delivered` ones.
    public let drop = Endpoint<NoPath, UploadSelection, UploadChangeReply>(
        .post, "/uploads/drop", .control, "Forget uploads that are not delivered; files stay",
        errors: [.notFound, .invalid])
    /// Makes jobs for photos that have none there.
    public let add = Endpoint<NoPath, UploadAddRequest, UploadChangeReply>(
        .post, "/uploads/add", .control,
        "Send photos to a destination, also late; unsorted photos only by ids",
        errors: [.notFound, .invalid])
    /// When photos are uploaded.
    public let mode = Endpoint<NoPath, NoInput, ModeReply>(.get, "/mode", .read, "When photos are uploaded")
    /// Changes when photos are uploaded.
    public let setMode = Endpoint<NoPath, ModeRequest, ModeReply>(
        .post, "/mode", .control, "Change when photos are uploaded, at once", errors: [.invalid])
}
