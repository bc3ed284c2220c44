import FrameFastModel
import UploadEngine

/// Checks of the objects that have a photo's name.
extension S3Destination {
    enum NameState {
        case free
        case same(UploadReceipt)
        case taken
    }

    /// Returns the name that a photo should get.
    ///
    /// A key without read permission can later recognize a photo only under a unique name. For a key without
    /// list permission, an unreadable object looks like a free name, and a service that overwrites would lose
    /// that object.
    func wantedName(_ item: UploadItem, _ plan: TransferPlan) async throws(UploadFailure) -> String {
        guard memory.offers(.size) else { return RemoteName.unique(item) }
        let wanted = RemoteName.wanted(item, refusesTaken: plan.refusesTaken)
        guard item.isNameChosen, !plan.refusesTaken, try await !reportsFreeNames(inFolderOf: item) else {
            return wanted
        }
        return RemoteName.unique(item)
    }

    /// Whether the server reports that a name is free. This sends a HEAD for a name that no object should
    /// have. Without permission to list the bucket, S3 responds with 403.
    private func reportsFreeNames(inFolderOf item: UploadItem) async throws(UploadFailure) -> Bool {
        if let showsFreeNames { return showsFreeNames }
        let name = RemoteName.sibling(item.remoteName, RemoteName.trials(item).second)
        let head = try await client.send("HEAD", key: key(name))
        let status = head.answer.status
        // If an object has this name after all, the response shows as little as 403.
        guard [403, 404].contains(status) || !head.isRefused else {
            throw client.refusal(head, at: .look, name)
        }
        let shows = status == 404 ? true : try await mayList()
        showsFreeNames = shows
        return shows
    }

    /// Checks which object has a name.
    ///
    /// - Parameters:
    ///   - file: The photo's file, to compute its MD5 if the entity tag is an MD5, or `nil` for a photo that
    ///     is sent in parts.
    ///   - known: The MD5 of the photo, or `nil` if it was not computed.
    ///   - isThere: Whether the server has just refused the name because an object has it.
    func checkName(
        _ name: String, for item: UploadItem, _ file: PhotoFile? = nil, md5 known: [UInt8]?,
        isThere: Bool = false
    ) async throws(UploadFailure) -> NameState {
        // The key may write but not read. The name is unique to this station, so it counts as free.
        guard memory.offers(.size) else { return .free }
        let head = try await client.send("HEAD", key: key(name))
        if head.answer.status == 404 { return .free }
        // A response to HEAD has no body, so a wrong key and a missing permission look the same. Without
        // permission to list the bucket, S3 also responds with 403 for a missing key (S3 API, HeadObject).
        // The trial showed that an existing key gets another response.
        if head.answer.status == 403, try await !mayList(), !isThere,
            memory.capabilities[.size]?.isOffered == true
        {
            return .free
        }
        guard !head.isRefused else { throw client.refusal(head, at: .look, name) }
        let length = head.answer.contentLength
        guard length == nil || length == item.bytes else { return .taken }
        let md5 = if head.answer.md5Tag != nil, known == nil { try await file?.md5() } else { known }
        if let md5, head.answer.md5Tag == Hex.text(md5) {
            let evidence = "etag \(Hex.text(md5))"
            return .same(
                UploadReceipt(remoteName: name, proof: .checksum, evidence: evidence, alreadyExisted: true))
        }
        // For an object of several parts, the server computes the tag from the checksums of the parts.
        let isOurs = !item.sha256.isEmpty && head.answer["x-amz-meta-sha256"] == item.sha256
        guard isOurs, head.answer.md5Tag == nil, length != nil else { return .taken }
        return .same(
            UploadReceipt(
                remoteName: name, proof: .size, evidence: "size \(item.bytes), noted sha256 \(item.sha256)",
                alreadyExisted: true))
    }

    /// Whether the access key may list the bucket.
    ///
    /// - Throws: The failure for any other refusal, for example of the access key itself.
    func mayList() async throws(UploadFailure) -> Bool {
        let answer = try await client.send("GET", key: nil, query: [("list-type", "2"), ("max-keys", "1")])
        guard answer.isRefused else { return true }
        guard answer.code == "AccessDenied" else { throw client.refusal(answer, at: .look, nil) }
        return false
    }
}
