import UploadEngine

/// Resuming interrupted transfers.
extension FTPDestination {
    /// Returns the number of bytes that the server has from an earlier attempt.
    func sentBytes(
        _ folder: String, _ name: String, of item: UploadItem
    ) async throws(UploadFailure) -> UInt64 {
        guard memory.offers(.size) || memory.offers(.resume) else { return 0 }
        if let existing = try? await facts(folder, name, of: item).bytes { return min(existing, item.bytes) }
        // Without sizes, only the complete photo can be detected.
        guard memory.offers(.readBack), (try? await hasPhoto(item, folder, name)) == true else { return 0 }
        return item.bytes
    }

    /// Returns the offset at which a transfer may resume. Returns 0 if no later check could verify the bytes
    /// on the server. In a power loss, a server may lose a file's bytes but keep its length.
    func provableOffset(
        _ offset: UInt64, of item: UploadItem, _ folder: String, _ name: String
    ) async throws(UploadFailure) -> UInt64 {
        guard offset > 0, offset < item.bytes, !memory.offers(.readBack) else { return offset }
        return try await knownChecksumCommands(name).isEmpty ? 0 : offset
    }

    /// Sends a photo from its first byte, because the server can't resume files.
    func sendWhole(
        _ file: PhotoFile, _ item: UploadItem, _ folder: String, _ name: String, because reason: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        await memory.learn(.resume, isOffered: false, reason: reason)
        // The server refused to resume this file. The file is a part of this photo, so deleting it is safe.
        _ = try await sendCommands(folder, ["*DELE \(name)"])
        return try await send(file, item, folder, name, from: 0, progress)
    }
}
