import FrameFastModel
import UploadEngine

/// The object that has a name.
extension S3Destination {
    enum Found {
        case free
        case same(UploadReceipt)
        case taken
    }

    /// The name that a photo is to have.
    ///
    /// With a key that may not read, only a name of our own can be recognised later. With one that may not list, an object that
    /// we may not read looks like a free name, and a service that replaces would lose it.
    func wantedName(_ item: UploadItem, _ plan: TransferPlan) async throws(UploadFailure) -> String {
        guard memory.offers(.size) else { return RemoteName.unique(item) }
        let wanted = RemoteName.wanted(item, refusesTaken: plan.refusesTaken)
        guard item.isNameChosen, !plan.refusesTaken, try await !tellsFreeNames(beside: item) else {
            return wanted
        }
        return RemoteName.unique(item)
    }

    /// Whether the server tells that a name is free: it is asked for one that nothing has. Without the right to list the
    /// bucket, S3 answers 403.
    private func tellsFreeNames(beside item: UploadItem) async throws(UploadFailure) -> Bool {
        if let showsFreeNames { return showsFreeNames }
        let name = RemoteName.beside(item.remoteName, RemoteName.trials(item).second)
        let head = try await talk.send("HEAD", key: key(name))
        let status = head.answer.status
        // Something may have the name all the same: that says as little as 403.
        guard [403, 404].contains(status) || !head.isRefused else {
            throw talk.refusal(head, at: .look, name)
        }
        let shows = status == 404 ? true : try await mayList()
        showsFreeNames = shows
        return shows
    }

    /// What stands under a name.
    ///
    /// - Parameters:
    ///   - file: Where the MD5 can be had from when the tag is one; `nil` for a photo that goes in parts.
    ///   - known: MD5 of the whole photo, when it was computed.
    ///   - isThere: Whether the server has just refused the name because an object has it.
    func look(
        at name: String, for item: UploadItem, _ file: PhotoFile? = nil, md5 known: [UInt8]?,
        isThere: Bool = false
    ) async throws(UploadFailure) -> Found {
        // A key that may write and not read: only this station makes the name.
        guard memory.offers(.size) else { return .free }
        let head = try await talk.send("HEAD", key: key(name))
        if head.answer.status == 404 { return .free }
        // An answer to HEAD has no body that says why: a wrong key and a missing right look the same. Without the right to
        // list the bucket, S3 also answers 403 for a key that is missing (S3 API, HeadObject). The trial has shown that it
        // answers otherwise for one that is there.
        if head.answer.status == 403, try await !mayList(), !isThere,
            memory.capabilities[.size]?.isOffered == true
        {
            return .free
        }
        guard !head.isRefused else { throw talk.refusal(head, at: .look, name) }
        let length = head.answer.contentLength
        guard length == nil || length == item.bytes else { return .taken }
        let md5 = if head.answer.md5Tag != nil, known == nil { try await file?.md5() } else { known }
        if let md5, head.answer.md5Tag == Hex.text(md5) {
            let evidence = "etag \(Hex.text(md5))"
            return .same(
                UploadReceipt(remoteName: name, proof: .checksum, evidence: evidence, wasThere: true))
        }
        // Of parts, the tag is a checksum that the server made of their checksums when it put them together.
        let isOurs = !item.sha256.isEmpty && head.answer["x-amz-meta-sha256"] == item.sha256
        guard isOurs, head.answer.md5Tag == nil, length != nil else { return .taken }
        return .same(
            UploadReceipt(
                remoteName: name, proof: .size, evidence: "size \(item.bytes), noted sha256 \(item.sha256)",
                wasThere: true))
    }

    /// Whether the key may list the bucket.
    ///
    /// - Throws: A refusal of anything else, for example of the key itself.
    func mayList() async throws(UploadFailure) -> Bool {
        let answer = try await talk.send("GET", key: nil, query: [("list-type", "2"), ("max-keys", "1")])
        guard answer.isRefused else { return true }
        guard answer.code == "AccessDenied" else { throw talk.refusal(answer, at: .look, nil) }
        return false
    }
}
