/// Photos.
public struct CaptureEndpoints: Sendable {
    /// A page of photos, newest shot first.
    public let list = Endpoint<NoPath, CapturesQuery, CapturesReply>(
        .get, "/captures", .read, "Photos, newest shot first, page by page", errors: [.invalid])
    /// One photo.
    public let get = Endpoint<CaptureID, NoInput, CaptureReply>(
        .get, "/captures/{id}", .read, "One photo", subject: "a photo with id")
    /// Reads a damaged photo once more.
    public let retry = Endpoint<CaptureID, NoInput, CaptureReply>(
        .post, "/captures/{id}/retry", .control, "Read a damaged photo once more",
        subject: "a photo with id", errors: [.conflict])
}
