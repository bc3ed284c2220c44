/// Endpoints for photos on this computer.
public struct StorageEndpoints: Sendable {
    /// Returns the number and size of the photos on this computer, by upload state.
    public let summary = Endpoint<NoPath, NoInput, StorageSummaryReply>(
        .get, "/storage", .read, "Photos on this computer, by upload state")
    /// Removes files that are delivered to all their destinations. The daemon reads each file before removing
    /// it. This is slow, so the client waits for up to four hours.
    public let clear = Endpoint<NoPath, StorageClearRequest, StorageClearReply>(
        .post, "/storage/clear", .control, "Remove local files that are delivered everywhere",
        errors: [.notFound, .invalid], timeoutSeconds: 4 * 3600)
    /// Accepts the current disk as the disk of the capture directory.
    public let adopt = Endpoint<NoPath, NoInput, DiskReply>(
        .post, "/storage/adopt", .control, "Accept the current disk for photos", errors: [.conflict])
}
