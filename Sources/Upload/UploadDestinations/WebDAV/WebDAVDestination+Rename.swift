import UploadEngine

/// The rename of a part, also after its answer was lost.
extension WebDAVDestination {
    /// The resume point of a part whose rename failed, or got no answer.
    ///
    /// - Parameter tag: The part's entity tag, if it is known.
    static func mark(_ part: String, _ tag: String?, _ name: String) -> String {
        "sent \(part) \(tag.flatMap { $0.contains(where: \.isWhitespace) || $0.isEmpty ? nil : $0 } ?? "-") as \(name)"
    }

    /// The resume point of a photo that is sent again because its part may have been renamed without an answer.
    private static let again = "again"

    /// The result of an earlier attempt that did not hear the answer to its rename.
    enum Sent {
        /// The part with its address.
        case part(String, Proof)
        case photo(UploadReceipt)
    }

    /// Records that a part has all its bytes, if a request after the transfer failed: the next attempt begins with that.
    ///
    /// - Parameter error: A copy that differs from the photo has no step, and is sent again. So is one whose removal failed.
    func saveSent(
        _ item: UploadItem, _ part: String, _ tag: String?, _ name: String, after error: UploadFailure
    ) async {
        guard error.step != nil, error.step != .remove else { return }
        await item.saveResumePoint(Self.mark(part, tag, name))
    }

    /// Gives a part the first name that is free.
    func publish(
        _ item: UploadItem, _ partName: String, _ proof: Proof, _ wanted: String
    ) async throws(UploadFailure) -> UploadReceipt {
        let part = address(RemoteName.split(wanted).folder, partName)
        var name = wanted
        do throws(UploadFailure) {
            for number in 0...RemoteName.mostSuffixes {
                name = RemoteName.candidate(wanted, number)
                let final = url(name)
                let isOnlyOurs = name == Self.movable(RemoteName.unique(item))
                let replaces = memory.replacesUnseen(item, isOnlyOurs: isOnlyOurs)
                if try await move(part, to: final, replaces: replaces) {
                    try await checkFinal(item, name, final, proof)
                    return UploadReceipt(remoteName: name, proof: proof.kind, evidence: proof.evidence)
                }
                guard try await isSame(item, final) else { continue }
                // Without an answer the part may be there still, and the attempt has not ended.
                if memory.offers(.remove) { _ = try await talk.send("DELETE", part) }
                return wasThere(item, name)
            }
        } catch {
            if !memory.recognisesPhotos, error.kind == .permanent(.notFound) {
                // The server may have renamed the part without telling: the photo is sent again, and replaces its copy. Once: a
                // server that answers so again does not rename this one.
                let isAgain = item.resumePoint == Self.again
                await item.saveResumePoint(isAgain ? nil : Self.again)
                if isAgain { throw error }
                throw UploadFailure(.transient, error.sentence, step: error.step)
            }
            await saveSent(item, partName, proof.tag, name, after: error)
            throw error
        }
        throw RemoteName.allTaken(item.remoteName, talk.place)
    }

    /// The part that an earlier attempt has sent and could not rename, or the photo if the server renamed it without telling;
    /// `nil` if the photo has to be sent.
    func sent(_ file: PhotoFile, _ item: UploadItem) async throws(UploadFailure) -> Sent? {
        guard let mark = item.resumePoint?.wholeMatch(of: /sent (\S+) (\S+) as (.+)/) else { return nil }
        let name = String(mark.3)
        let part = address(RemoteName.split(name).folder, String(mark.1))
        do throws(UploadFailure) {
            if try await isRenamed(item, part, to: name, tag: String(mark.2)) {
                return .photo(wasThere(item, name))
            }
            return .part(part, try await verify(file, item, part, isKept: true))
        } catch {
            // A part that never passed a check may stay unreadable, so the next attempt writes it again. A check that was
            // stopped has no result.
            if mark.2 == "-", error.step != .connect, error.kind != .cancelled {
                await item.saveResumePoint(nil)
            }
            // A request that failed is repeated. A copy that differs has no step, and is sent again.
            guard error.isOfOneFeature, error.step == nil || !error.isOutage else { throw error }
        }
        await item.saveResumePoint(nil)
        return nil
    }

    private func misfiled(_ name: String) -> UploadFailure {
        UploadFailure(
            .permanent(.unprocessable), "\(talk.place) took the photo and does not have it under \(name).",
            nextStep: "Look for it there, and keep to letters and digits in the destination's name template.")
    }

    /// Holds what has the final name against what was verified. Servers look whether a name is free and rename then: a
    /// photo that came in between has gone, and its station sees that here.
    private func checkFinal(
        _ item: UploadItem, _ name: String, _ final: String, _ proof: Proof
    ) async throws(UploadFailure) {
        guard memory.offers(.size) || memory.offers(.readBack) else { return }
        let there = try await look(final)
        guard there?.bytes == item.bytes else {
            if there == nil { throw misfiled(name) }
            throw replaced(name)
        }
        // A rename keeps the tag of a file at most servers; elsewhere its bytes say it.
        if let tag = there?.tag, tag == proof.tag { return }
        guard memory.offers(.readBack),
            settings.verification.readsBack(encrypted: talk.isEncrypted) || there?.tag != nil
        else { return }
        guard try await talk.hasPhoto(item, at: final) else { throw replaced(name) }
    }

    private func replaced(_ name: String) -> UploadFailure {
        UploadFailure(
            .transient, "Something else has the name \(name) at \(talk.place) now: another one is taken.")
    }

    /// Whether a part has got the photo's name without an answer. Where nothing is read back, a file of the photo's size
    /// under a name that others make, too, is ours if it has the part's tag.
    private func isRenamed(
        _ item: UploadItem, _ part: String, to name: String, tag: String
    ) async throws(UploadFailure) -> Bool {
        guard memory.offers(.size) || memory.offers(.readBack), try await look(part) == nil else {
            return false
        }
        guard !memory.offers(.readBack) else { return try await isSame(item, url(name)) }
        let there = try await look(url(name))
        let isOnlyOurs = name == Self.movable(RemoteName.unique(item))
        return there?.bytes == item.bytes && (isOnlyOurs || there?.tag == tag)
    }

    func wasThere(_ item: UploadItem, _ name: String) -> UploadReceipt {
        UploadReceipt.wasThere(item, named: name, isRead: memory.offers(.readBack))
    }

    /// Renames by the whole address, and by its path where a proxy in front of the server breaks the whole one.
    ///
    /// - Parameter replaces: Whether a file under the new name is replaced.
    /// - Returns: Whether it was moved; `false` when the name is taken.
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
            guard error.isOfOneFeature, error.kind != .transient else { throw error }
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
        let answer = try await talk.send("MOVE", part, headers: headers)
        if answer.status == 412 { return false }
        guard answer.isSuccess else { throw talk.refusal(answer, at: .rename, final) }
        return true
    }

    /// The path of an address.
    private static func path(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "/\(parts[3])" : url
    }
}
