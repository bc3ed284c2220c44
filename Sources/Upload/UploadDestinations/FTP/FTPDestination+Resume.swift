import UploadEngine

/// Transfers that continue where an earlier attempt ended, or can't.
extension FTPDestination {
    /// The bytes of a file that an earlier attempt has sent.
    func sentBytes(
        _ folder: String, _ name: String, of item: UploadItem
    ) async throws(UploadFailure) -> UInt64 {
        guard memory.offers(.size) || memory.offers(.resume) else { return 0 }
        if let there = try? await facts(folder, name, of: item).bytes { return min(there, item.bytes) }
        // Where no size is told, the whole photo may be there.
        guard memory.offers(.readBack), (try? await hasPhoto(item, folder, name)) == true else { return 0 }
        return item.bytes
    }

    /// The part that an earlier version noted for this photo.
    func formerPart(_ item: UploadItem) -> String? {
        let end = " of \(item.sha256)"
        guard let point = item.resumePoint, point.hasPrefix("part ."), point.hasSuffix(end) else {
            return nil
        }
        let name = String(point.dropFirst("part ".count).dropLast(end.count))
        return name.contains { $0.isNewline || $0 == "/" } ? nil : name
    }

    /// The offset from which a photo goes on, or 0 if nothing could prove later that the beginning at the server is the
    /// photo's: a server that lost its power may have kept the length of a file and lost its bytes.
    func provable(
        _ offset: UInt64, of item: UploadItem, _ folder: String, _ name: String
    ) async throws(UploadFailure) -> UInt64 {
        guard offset > 0, offset < item.bytes, !memory.offers(.readBack) else { return offset }
        return try await checksumQuestions(name).isEmpty ? 0 : offset
    }

    /// Sends a photo from its first byte, to a server that does not continue files.
    func sendWhole(
        _ file: PhotoFile, _ item: UploadItem, _ folder: String, _ name: String, because reason: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        await memory.learn(.resume, isOffered: false, reason: reason)
        // The server has shown that it is a beginning of this photo.
        _ = try await ask(folder, ["*DELE \(name)"])
        return try await send(file, item, folder, name, from: 0, progress)
    }
}
