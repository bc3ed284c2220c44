/// Photos on this computer.
public struct StorageEndpoints: Sendable {
    /// The photos here, by how far their uploads are.
    public let summary = Endpoint<NoPath, NoInput, StorageSummaryReply>(
        .get, "/storage", .read, "The photos here, by how far their uploads are")
    /// Removes files that are delivered everywhere. Each is read before it goes, so a client waits for long.
    public let clear = Endpoint<NoPath, StorageClearRequest, StorageClearReply>(
        .post, "/storage/clear", .control, "Remove files here that are delivered everywhere",
        errors: [.notFound, .invalid], patienceSeconds: 4 * 3600)
    /// Takes the disk that is there now for the capture directory.
    public let adopt = Endpoint<NoPath, NoInput, DiskReply>(
        .post, "/storage/adopt", .control, "Save photos to the disk that is there now", errors: [.conflict])
}
