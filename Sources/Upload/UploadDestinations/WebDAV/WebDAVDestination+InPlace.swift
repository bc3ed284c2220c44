import UploadEngine

/// Photos that are sent to their final names.
extension WebDAVDestination {
    /// Stores a photo under its final name, where the server takes no other or can't rename.
    func store(
        _ file: PhotoFile, _ item: UploadItem, _ wanted: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.mostSuffixes {
            let name = RemoteName.candidate(wanted, number)
            let final = url(name)
            let isOurs = name == RemoteName.unique(item) || item.resumePoint == PutAttempt(name: name).text
            if !item.isFirstTry || !isOurs {
                if try await isSame(item, final) {
                    return UploadReceipt(
                        remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256) read back",
                        wasThere: true)
                }
                if !isOurs, try await isTaken(final) { continue }
            }
            if name != RemoteName.unique(item) { await item.saveResumePoint(PutAttempt(name: name).text) }
            try await put(file, item, final, RemoteName.split(name).folder, progress)
            let proof = try await verify(item, final)
            return UploadReceipt(remoteName: name, proof: proof.kind, evidence: proof.evidence)
        }
        throw RemoteName.allTaken(item.remoteName, talk.place)
    }

    /// Whether something has a name. A server that does not say counts as one where the name is free.
    private func isTaken(_ url: String) async throws(UploadFailure) -> Bool {
        guard memory.offers(.size) || memory.offers(.readBack) else { return false }
        return try await look(url) != nil
    }
}
