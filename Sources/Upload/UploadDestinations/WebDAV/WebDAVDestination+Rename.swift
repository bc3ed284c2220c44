import UploadEngine

/// The rename of a part, also after its answer was lost.
extension WebDAVDestination {
    /// The resume point of a part whose rename failed, or got no answer.
    ///
    /// - Parameter tag: The part's entity tag, if it is known.
    static func mark(_ part: String, _ tag: String?, _ name: String) -> String {
        "sent \(part) \(tag.flatMap { $0.contains(where: \.isWhitespace) || $0.isEmpty ? nil : $0 } ?? "-") as \(name)"
    }

    /// The result of an earlier attempt that did not hear the answer to its rename.
    enum Sent {
        /// The part with its address.
        case part(String, Proof)
        case photo(UploadReceipt)
    }

    /// The part that an earlier attempt has sent and could not rename, or the photo if the server renamed it without telling;
    /// `nil` if the photo has to be sent.
    func sent(_ item: UploadItem) async throws(UploadFailure) -> Sent? {
        guard let mark = item.resumePoint?.wholeMatch(of: /sent (\S+) (\S+) as (.+)/) else { return nil }
        let name = String(mark.3)
        let part = address(RemoteName.split(name).folder, String(mark.1))
        do throws(UploadFailure) {
            if try await isRenamed(item, part, to: name, tag: String(mark.2)) {
                return .photo(wasThere(item, name))
            }
            return .part(part, try await verify(item, part))
        } catch {
            // What can't be told is sent again.
            guard error.isOfOneFeature else { throw error }
            if case .outage = error.kind { throw error }
        }
        await item.saveResumePoint(nil)
        return nil
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
