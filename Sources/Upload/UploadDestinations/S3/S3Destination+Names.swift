import FrameFastModel
import UploadEngine

/// Checks whether objects already use a photo's name.
extension S3Destination {
    enum NameState {
        case free
        case same(UploadReceipt)
        case taken
    }

    /// Returns the name for a photo.
    ///
    /// Without read permission, a later attempt can identify the photo only by a unique name. Without list
    /// permission, the name of an unreadable object looks free. A service that overwrites would then replace
    /// that object.
    func wantedName(_ item: UploadItem, _ plan: TransferPlan) async throws(UploadFailure) -> String {
        guard memory.offers(.size) else { return RemoteName.unique(item) }
        let wanted = RemoteName.wanted(item, refusesTaken: plan.refusesTaken)
        guard item.isNameChosen, !plan.refusesTaken, try await !reportsFreeNames(inFolderOf: item) else {
            return wanted
        }
        return RemoteName.unique(item)
    }

    /// Returns whether the server reports free names. The function sends a HEAD for an unused name. Without
    /// list permission, S3 responds to this HEAD with 403.
    private func reportsFreeNames(inFolderOf item: UploadItem) async throws(UploadFailure) -> Bool {
        if let showsFreeNames { return showsFreeNames }
        let name = RemoteName.sibling(item.remoteName, RemoteName.trials(item).second)
        let head = try await client.send("HEAD", key: key(name))
        let status = head.http.status
        // A failure with any other status is an error. If an object unexpectedly has this name, the response
        // is inconclusive, like 403.
        guard [403, 404].contains(status) || !head.isRefused else {
            throw client.refusal(head, at: .look, name)
        }
        let shows = status == 404 ? true : try await mayList()
        showsFreeNames = shows
        return shows
    }

    /// Checks whether a name is free, or whether its object is this photo or another object.
    ///
    /// - Parameters:
    ///   - file: The photo's file, for its MD5 if the entity tag is an MD5. `nil` for a photo that is sent in
    /// parts.
    ///   - known: The MD5 of the photo, or `nil` if it has not been computed.
    ///   - isTaken: Whether the server has just refused the name because an object has this name.
    func checkName(
        _ name: String, for item: UploadItem, _ file: PhotoFile? = nil, md5 known: [UInt8]?,
        isTaken: Bool = false
    ) async throws(UploadFailure) -> NameState {
        // Without read permission, the name is unique to this installation and counts as free.
        guard memory.offers(.size) else { return .free }
        let head = try await client.send("HEAD", key: key(name))
        if head.http.status == 404 { return .free }
        // A response to HEAD has no body, so a wrong access key and a missing permission look the same.
        // Without list permission, S3 also responds with 403 for a missing object (S3 API, HeadObject). The
        // trial showed that an existing object causes a different response.
        if head.http.status == 403, try await !mayList(), !isTaken,
            memory.capabilities[.size]?.isOffered == true
        {
            return .free
        }
        guard !head.isRefused else { throw client.refusal(head, at: .look, name) }
        let length = head.http.contentLength
        guard length == nil || length == item.bytes else { return .taken }
        let md5 = if head.http.md5Tag != nil, known == nil { try await file?.md5() } else { known }
        if let md5, head.http.md5Tag == Hex.text(md5) {
            let evidence = "etag \(Hex.text(md5))"
            return .same(
                UploadReceipt(remoteName: name, proof: .checksum, evidence: evidence, alreadyExisted: true))
        }
        // The entity tag of a multipart object is computed from the checksums of its parts.
        let isOurs = !item.sha256.isEmpty && head.http["x-amz-meta-sha256"] == item.sha256
        guard isOurs, head.http.md5Tag == nil, length != nil else { return .taken }
        return .same(
            UploadReceipt(
                remoteName: name, proof: .size, evidence: "size \(item.bytes), noted sha256 \(item.sha256)",
                alreadyExisted: true))
    }

    /// Returns whether the access key has permission to list the bucket.
    ///
    /// - Throws: The failure for any other refusal, for example of the access key.
    func mayList() async throws(UploadFailure) -> Bool {
        let response = try await client.send("GET", key: nil, query: [("list-type", "2"), ("max-keys", "1")])
        guard response.isRefused else { return true }
        guard response.code == "AccessDenied" else { throw client.refusal(response, at: .look, nil) }
        return false
    }
}
