import UploadEngine

/// The rename of a part, also after its answer was lost.
extension WebDAVDestination {
    static func mark(_ part: String, _ name: String) -> String { "sent \(part) as \(name)" }

    /// The result of an earlier attempt that did not hear the answer to its rename.
    enum Sent {
        case part(Proof)
        case photo(UploadReceipt)
    }

    /// The part that an earlier attempt has sent and could not rename, or the photo if the server renamed it without telling;
    /// `nil` if the photo has to be sent.
    func sent(
        _ item: UploadItem, _ partName: String, _ part: String
    ) async throws(UploadFailure) -> Sent? {
        let mark = Self.mark(partName, "")
        guard let point = item.resumePoint, point.hasPrefix(mark) else { return nil }
        do throws(UploadFailure) { return .part(try await verify(item, part)) } catch {
            guard error.isOfOneFeature else { throw error }
        }
        let name = String(point.dropFirst(mark.count))
        if try await isSame(item, url(name)) {
            return .photo(
                UploadReceipt(
                    remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256) read back",
                    wasThere: true))
        }
        await item.saveResumePoint(nil)
        return nil
    }

    /// Renames by the whole address, and by its path where a proxy in front of the server breaks the whole one.
    ///
    /// - Returns: Whether it was moved; `false` when the name is taken.
    func move(_ part: String, to final: String) async throws(UploadFailure) -> Bool {
        guard memory.offers(.absoluteDestination) else {
            return try await move(part, to: Self.path(of: final), named: final)
        }
        do throws(UploadFailure) {
            let isMoved = try await move(part, to: final, named: final)
            await memory.learn(.absoluteDestination, isOffered: true)
            return isMoved
        } catch {
            guard error.isOfOneFeature, error.kind != .transient else { throw error }
            let isMoved: Bool
            do throws(UploadFailure) {
                isMoved = try await move(part, to: Self.path(of: final), named: final)
            } catch _ { throw error }
            await memory.learn(.absoluteDestination, isOffered: false, reason: error.sentence)
            return isMoved
        }
    }

    func move(
        _ part: String, to target: String, named final: String
    ) async throws(UploadFailure) -> Bool {
        let headers = [HTTPHeader("Destination", target), HTTPHeader("Overwrite", "F")]
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
