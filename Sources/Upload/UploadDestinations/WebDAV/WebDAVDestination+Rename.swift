import UploadEngine

/// Renaming part files, and retrying the rename after a lost response.
extension WebDAVDestination {
    /// Returns the resume point of a part whose rename failed or received no response.
    ///
    /// - Parameter tag: The part's entity tag, or `nil` if unknown.
    static func sentResumePoint(_ part: String, _ tag: String?, _ name: String) -> String {
        "sent \(part) \(tag.flatMap { $0.contains(where: \.isWhitespace) || $0.isEmpty ? nil : $0 } ?? "-") as \(name)"
    }

    /// The resume point of a photo that is sent again because the server may have renamed its part without
    /// sending a response.
    private static let again = "again"

    /// The result of an earlier attempt whose rename failed or received no response.
    enum EarlierResult {
        /// The part's URL, and the evidence that the part is complete.
        case part(String, Proof)
        case photo(UploadReceipt)
    }

    /// Records that a part is complete, after a later request has failed. The next attempt continues with
    /// that request.
    ///
    /// - Parameter error: The failure. A failure without a step means that the copy differs from the photo.
    ///   In this case, or if the removal of such a copy failed, the function records nothing.
    func saveSent(
        _ item: UploadItem, _ part: String, _ tag: String?, _ name: String, after error: UploadFailure
    ) async {
        guard error.step != nil, error.step != .remove else { return }
        await item.saveResumePoint(Self.sentResumePoint(part, tag, name))
    }

    /// Renames a part to the first free name.
    func publish(
        _ item: UploadItem, _ partName: String, _ proof: Proof, _ wanted: String
    ) async throws(UploadFailure) -> UploadReceipt {
        let part = address(RemoteName.split(wanted).folder, partName)
        var name = wanted
        do throws(UploadFailure) {
            for number in 0...RemoteName.suffixesMax {
                name = RemoteName.candidate(wanted, number)
                let final = url(name)
                let isOnlyOurs = name == Self.movable(RemoteName.unique(item))
                let replaces = memory.replacesUnseen(item, isOnlyOurs: isOnlyOurs)
                if try await move(part, to: final, replaces: replaces) {
                    try await checkFinal(item, name, final, proof)
                    return UploadReceipt(remoteName: name, proof: proof.kind, evidence: proof.evidence)
                }
                guard try await isSame(item, final) else { continue }
                // If this request throws, the attempt ends, because the part may still exist.
                if memory.offers(.remove) { _ = try await client.send("DELETE", part) }
                return existingPhotoReceipt(item, name)
            }
        } catch {
            if !memory.recognisesPhotos, error.kind == .permanent(.notFound) {
                // The server may have renamed the part without sending a response. The photo is sent once
                // more and replaces its copy. If the rename fails with the same error again, the server
                // cannot rename this photo.
                let isAgain = item.resumePoint == Self.again
                await item.saveResumePoint(isAgain ? nil : Self.again)
                if isAgain { throw error }
                throw UploadFailure(.transient, error.sentence, step: error.step)
            }
            await saveSent(item, partName, proof.tag, name, after: error)
            throw error
        }
        throw RemoteName.allTaken(item.remoteName, client.place)
    }

    /// Returns the part that an earlier attempt sent but could not rename. Returns the photo if the server
    /// renamed the part without sending a response. Returns `nil` if the photo must be sent.
    func earlierResult(_ file: PhotoFile, _ item: UploadItem) async throws(UploadFailure) -> EarlierResult? {
        guard let mark = item.resumePoint?.wholeMatch(of: /sent (\S+) (\S+) as (.+)/) else { return nil }
        let name = String(mark.3)
        let part = address(RemoteName.split(name).folder, String(mark.1))
        do throws(UploadFailure) {
            if try await isRenamed(item, part, to: name, tag: String(mark.2)) {
                return .photo(existingPhotoReceipt(item, name))
            }
            return .part(part, try await verify(file, item, part, isKept: true))
        } catch {
            // A part without a tag may never have passed a check and may be unreadable, so the next attempt
            // sends the photo again. A cancelled check does not count as failed.
            if mark.2 == "-", error.step != .connect, error.kind != .cancelled {
                await item.saveResumePoint(nil)
            }
            // A temporary failure of a request, or a failure of the account or the connection, ends the
            // attempt. If the copy differs (a failure without a step), or the server refuses the request, the
            // photo is sent again.
            guard error.mayConcernOneRequest, error.step == nil || !error.isOutage else { throw error }
        }
        await item.saveResumePoint(nil)
        return nil
    }

    private func misplacedFailure(_ name: String) -> UploadFailure {
        UploadFailure(
            .permanent(.unprocessable),
            "\(client.place) accepted the photo but does not have it under \(name).",
            nextStep:
                "Look for the photo on the server. Use only letters and digits in the destination's name template."
        )
    }

    /// Compares the file under the final name with the verified part. Servers check whether a name is free
    /// before they rename. If another installation stores a photo between the check and the rename, the
    /// rename replaces that photo. The other installation detects the replacement with the same comparison.
    private func checkFinal(
        _ item: UploadItem, _ name: String, _ final: String, _ proof: Proof
    ) async throws(UploadFailure) {
        guard memory.offers(.size) || memory.offers(.readBack) else { return }
        let existing = try await fetchFacts(final)
        guard existing?.bytes == item.bytes else {
            if existing == nil { throw misplacedFailure(name) }
            throw replacedFailure(name)
        }
        // Most servers keep a file's tag during a rename. If the tag changed, the bytes are compared. Without
        // a tag, the settings decide whether the bytes are compared.
        if let tag = existing?.tag, tag == proof.tag { return }
        guard memory.offers(.readBack),
            settings.verification.readsBack(encrypted: client.isEncrypted) || existing?.tag != nil
        else { return }
        guard try await client.hasPhoto(item, at: final) else { throw replacedFailure(name) }
    }

    private func replacedFailure(_ name: String) -> UploadFailure {
        UploadFailure(
            .transient, "The name \(name) at \(client.place) is already in use. FrameFast uses another name.")
    }

    /// Returns whether the server renamed a part to the photo's name without sending a response. If the
    /// server cannot read back, a file of the photo's size is enough evidence in two cases: the name is
    /// unique, or the file has the part's tag.
    private func isRenamed(
        _ item: UploadItem, _ part: String, to name: String, tag: String
    ) async throws(UploadFailure) -> Bool {
        guard memory.offers(.size) || memory.offers(.readBack), try await fetchFacts(part) == nil else {
            return false
        }
        guard !memory.offers(.readBack) else { return try await isSame(item, url(name)) }
        let existing = try await fetchFacts(url(name))
        let isOnlyOurs = name == Self.movable(RemoteName.unique(item))
        return existing?.bytes == item.bytes && (isOnlyOurs || existing?.tag == tag)
    }

    func existingPhotoReceipt(_ item: UploadItem, _ name: String) -> UploadReceipt {
        UploadReceipt.alreadyExisted(item, named: name, isRead: memory.offers(.readBack))
    }

    /// Renames with the full URL as the target. If a proxy in front of the server breaks the full URL,
    /// renames with the path.
    ///
    /// - Parameter replaces: Whether the rename may replace a file.
    /// - Returns: Whether the file was renamed. `false` if a file with the new name exists.
    func move(
        _ part: String, to final: String, replaces: Bool = false
    ) async throws(UploadFailure) -> Bool {
        guard memory.offers(.absoluteDestination) else {
            return try await move(part, to: Self.path(of: final), named: final, replaces: replaces)
        }
        do throws(UploadFailure) {
            let isMoved = try await move(part, to: final, named: final, replaces: replaces)
            await memory.learn(.absoluteDestination, isOffered: true)
            return isMoved
        } catch {
            guard error.mayConcernOneRequest, error.kind != .transient else { throw error }
            let isMoved: Bool
            do throws(UploadFailure) {
                isMoved = try await move(part, to: Self.path(of: final), named: final, replaces: replaces)
            } catch _ { throw error }
            await memory.learn(.absoluteDestination, isOffered: false, reason: error.sentence)
            return isMoved
        }
    }

    func move(
        _ part: String, to target: String, named final: String, replaces: Bool
    ) async throws(UploadFailure) -> Bool {
        let headers = [
            HTTPHeader("Destination", target), HTTPHeader("Overwrite", replaces ? "T" : "F"),
        ]
        let response = try await client.send("MOVE", part, headers: headers)
        if response.status == 412 { return false }
        guard response.isSuccess else { throw client.refusal(response, at: .rename, final) }
        return true
    }

    /// Returns the path of a URL.
    private static func path(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "/\(parts[3])" : url
    }
}
