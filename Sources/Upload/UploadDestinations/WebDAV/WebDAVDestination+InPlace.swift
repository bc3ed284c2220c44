import FrameFastModel
import UploadEngine

/// Uploads directly to the final name.
extension WebDAVDestination {
    /// Stores a photo under its final name, for a server that accepts no temporary name or cannot rename. If
    /// other installations may use the name, the function replaces a file only if the file is a part of this
    /// photo.
    func store(
        _ file: PhotoFile, _ item: UploadItem, _ wanted: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.suffixesMax {
            let name = RemoteName.candidate(wanted, number)
            let final = url(name)
            let isOnlyOurs = RemoteName.isOnlyOurs(name, of: item)
            let wasTried = item.resumePoint == PutAttempt(name: name).text
            if !item.isFirstTry || !isOnlyOurs {
                switch try await nameState(file, item, at: final, mayBePart: wasTried || isOnlyOurs) {
                case .photo:
                    return UploadReceipt(
                        remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256) read back",
                        alreadyExisted: true)
                case .part where wasTried, .nothing: break
                case .part, .other:
                    guard isOnlyOurs else { continue }
                    // Deletes the file first, because some servers do not let clients replace a file.
                    if memory.offers(.remove) {
                        let response = try await client.send("DELETE", final)
                        // Stops after a server error. The server could execute the DELETE later and delete
                        // the stored photo.
                        guard !response.isServerError else {
                            throw response.refusal(place: client.place, at: .remove, name: name)
                        }
                    }
                }
            }
            if !isOnlyOurs { await item.saveResumePoint(PutAttempt(name: name).text) }
            try await put(file, item, final, RemoteName.split(name).folder, progress)
            let proof = try await verify(file, item, final, isOnlyOurs: isOnlyOurs)
            return UploadReceipt(remoteName: name, proof: proof.kind, evidence: proof.evidence)
        }
        throw RemoteName.allTaken(item.remoteName, client.place)
    }

    /// The state of a photo's final name.
    private enum NameState {
        /// The name is free, or the server does not show its file.
        case nothing
        case photo
        /// A file with a part of the photo.
        case part
        case other
    }

    /// - Parameter mayBePart: Whether an earlier attempt may have left a part. If `false`, a file of a
    ///   different size is not read.
    private func nameState(
        _ file: PhotoFile, _ item: UploadItem, at url: String, mayBePart: Bool
    ) async throws(UploadFailure) -> NameState {
        guard memory.offers(.size) || memory.offers(.readBack), let existing = try await fetchFacts(url)
        else {
            return .nothing
        }
        let bytes = existing.bytes ?? item.bytes
        guard memory.offers(.readBack), bytes == item.bytes || mayBePart && bytes < item.bytes else {
            return .other
        }
        let copy = try await client.readBack(url)
        if copy.isPhoto(item) { return .photo }
        return try await file.matchesPart(copy.hashed) ? .part : .other
    }
}
