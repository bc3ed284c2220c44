/// Endpoints for photos.
public struct CaptureEndpoints: Sendable {
    /// Lists photos in pages, newest shot first.
    public let list = Endpoint<NoPath, CapturesQuery, CapturesReply>(
        .get, "/captures", .read, "Photos, newest shot first, page by page", errors: [.invalid])
    /// Returns one photo.
    public let get = Endpoint<CaptureID, NoInput, CaptureReply>(
        .get, "/captures/{id}", .read, "One photo", subject: "a photo with id")
    /// Reads a damaged photo from the camera again.
    public let retry = Endpoint<CaptureID, NoInput, CaptureReply>(
        .post, "/captures/{id}/retry", .control, "Read a damaged photo again",
        subject: "a photo with id", errors: [.conflict])
}
