import FrameFastModel
import UploadEngine

/// Uploads directly to the final name.
extension SFTPUpload {
    /// Stores a photo under its final name, for a server that accepts no temporary name or cannot rename. The
    /// function creates the file only if the name is free.
    func storeInPlace() async throws -> UploadReceipt {
        let wanted = RemoteName.wanted(item, refusesTaken: false)
        for suffix in 1...Self.suffixesMax {
            let name = suffix == 1 ? wanted : NamingTemplate.path(wanted, suffix: suffix)
            let target = path(of: name)
            // After a crash, the resume point may be missing. A file whose name is unique to this photo still
            // belongs to this upload.
            let isOurs =
                item.resumePoint == mark(name)
                || !item.isFirstTry && RemoteName.isOnlyOurs(name, of: item)
            if let facts = try await linkFacts(of: target) {
                if try await self.isOurs(target, facts: facts) {
                    progress(photo.bytes)
                    return UploadReceipt(
                        remoteName: name, proof: .checksum,
                        evidence: "the destination already had the same \(photo.bytes) bytes",
                        alreadyExisted: true)
                }
                guard isOurs, try await isPart(target, facts) else { continue }
                // An earlier attempt left this incomplete file. If the server refuses to delete the file, the
                // function tries the next name.
                do throws(SFTPError) { try await session.send(.remove(path: target)).ok() } catch {
                    guard case .status = error else { throw error }
                    continue
                }
            }
            let handle: [UInt8]
            let open = SFTPRequest.open(path: target, mode: [.write, .create, .exclusive])
            do throws(SFTPError) { handle = try await session.send(open).handle() } catch {
                if try await session.isFolderMissing(
                    of: target, after: error, checks: memory.offers(.size))
                {
                    try await makeFolders()
                } else {
                    // On a server that reports no sizes, only this refusal shows that an earlier attempt left
                    // a part.
                    guard case .status = error, isOurs, !memory.offers(.size) else { throw error }
                    do throws(SFTPError) { try await session.send(.remove(path: target)).ok() } catch {
                        guard case .status = error else { throw error }
                        continue
                    }
                }
                handle = try await session.send(open).handle()
            }
            await item.saveResumePoint(mark(name))
            try await fill(handle, of: target, from: 0)
            let evidence = try await verify(target)
            if plan.isUnproven {
                await memory.learn(
                    .rename, isOffered: false, reason: "The server does not allow temporary names.")
            }
            return UploadReceipt(remoteName: name, proof: evidence.proof, evidence: evidence.text)
        }
        throw RemoteName.allTaken(item.remoteName, settings.host)
    }

    /// Returns whether a file is a part of the photo. Called only for a file that an earlier attempt created.
    /// If the server reports no size or cannot read back, the function returns `true` without a comparison.
    private func isPart(_ path: String, _ facts: SFTPFacts) async throws -> Bool {
        guard let bytes = facts.bytes, memory.offers(.readBack) else { return true }
        guard bytes <= photo.bytes else { return false }
        return try await compare(path, upTo: bytes)
    }

    private func mark(_ name: String) -> String { "put \(name)" }
}
