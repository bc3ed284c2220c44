/// What happened to photos.
public struct HistoryEndpoints: Sendable {
    /// Everything that happened, oldest first.
    public let list = Endpoint<NoPath, HistoryQuery, HistoryReply>(
        .get, "/history", .control, "What happened to photos, oldest first, page by page", errors: [.invalid])
    /// What happened to one photo.
    public let get = Endpoint<CaptureID, NoInput, CaptureHistoryReply>(
        .get, "/captures/{id}/history", .control, "What happened to one photo, oldest first",
        subject: "a photo with id")
}
