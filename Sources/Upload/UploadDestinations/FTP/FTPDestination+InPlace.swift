import UploadEngine

/// Uploads directly to the final name.
extension FTPDestination {
    /// Stores a photo under its final name, for a server that accepts no temporary name or can't rename. If
    /// other installations may use the name, the function replaces a file only if the file is a part of this
    /// photo.
    func storeInPlace(
        _ file: PhotoFile, _ item: UploadItem, _ wanted: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.suffixesMax {
            let candidate = RemoteName.candidate(wanted, number)
            let (folder, name) = RemoteName.split(candidate)
            let wasTried = item.resumePoint == partResumePoint(candidate)
            let isOnlyOurs = RemoteName.isOnlyOurs(candidate, of: item)
            var offset: UInt64 = 0
            let facts = try await facts(folder, name, of: item)
            let size = facts.bytes
            if facts.isTaken {
                // A file of a different size is not read back, unless this upload may have created the file.
                let isWorthReading = size == nil || size == item.bytes || wasTried || isOnlyOurs
                let existing =
                    isWorthReading ? try await contents(folder, name, ofAtMost: item.bytes, size) : nil
                if existing?.bytes == item.bytes, existing?.sha256 == item.sha256 {
                    return existingPhotoReceipt(item, candidate)
                }
                if !isOnlyOurs { guard wasTried, try await file.matchesPart(existing) else { continue } }
                if let size, memory.offers(.resume), size <= item.bytes { offset = size }
                offset = try await provableOffset(offset, of: item, folder, name)
                // The size is equal but the bytes differ. The photo is sent again.
                if offset == item.bytes, memory.offers(.readBack) { offset = 0 }
                // Deletes the file first, because some servers do not let clients replace a file.
                if offset == 0, isOnlyOurs, memory.offers(.remove) {
                    _ = try await sendCommands(folder, ["*DELE \(name)"])
                }
            }
            await item.saveResumePoint(partResumePoint(candidate))
            do throws(UploadFailure) {
                let proof = try await send(file, item, folder, name, from: offset, progress)
                await item.saveResumePoint(nil)
                return UploadReceipt(remoteName: candidate, proof: proof.0, evidence: proof.1)
            } catch {
                // The server does not allow replacing the part of a broken transfer. Tries the next name.
                guard wasTried else { throw error }
                if case .permanent = error.kind, error.mayConcernOneRequest { continue }
                // If the part of a broken transfer has the name, pure-ftpd with --autorename stores the photo
                // under a different name.
                guard error.kind == .transient, offset == 0, let size, size < item.bytes,
                    try await self.facts(folder, name, of: item).bytes == size
                else { throw error }
            }
        }
        throw RemoteName.allTaken(item.remoteName, client.place)
    }

    /// Returns the length and SHA-256 of a file that may be the photo or a part of it. Returns `nil` if the
    /// reported size is larger than the photo, or if the server does not let clients read files back.
    private func contents(
        _ folder: String, _ name: String, ofAtMost most: UInt64, _ size: UInt64?
    ) async throws(UploadFailure) -> (bytes: UInt64, sha256: String)? {
        guard memory.offers(.readBack), size ?? most <= most else { return nil }
        return try await readBack(folder, name)
    }
}
