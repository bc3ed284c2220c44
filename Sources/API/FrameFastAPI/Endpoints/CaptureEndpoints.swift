/// Photos.
public struct CaptureEndpoints: Sendable {
    /// A page of photos, newest first.
    public let list = Endpoint<NoPath, CapturesQuery, CapturesReply>(
        .get, "/captures", .read, "Photos, newest first, page by page", errors: [.invalid])
    /// One photo.
    public let get = Endpoint<Int64, NoInput, CaptureReply>(
        .get, "/captures/{id}", .read, "One photo", subject: "a photo with id")
    /// Reads a photo once more that was set aside.
    public let retry = Endpoint<Int64, NoInput, CaptureReply>(
        .post, "/captures/{id}/retry", .control, "Read a photo once more that was set aside",
        subject: "a photo with id", errors: [.conflict])
}
