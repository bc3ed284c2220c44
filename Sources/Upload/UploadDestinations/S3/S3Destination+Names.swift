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
    /// The name is unique in two cases. Without read permission, a later attempt can identify the photo only
    /// by a unique name. Without list permission, a used name may look free, and a service that overwrites
    /// would replace the existing object.
    func wantedName(_ item: UploadItem, _ plan: TransferPlan) async throws(UploadFailure) -> String {
        guard memory.offers(.size) else { return RemoteName.unique(item) }
        let wanted = RemoteName.wanted(item, refusesTaken: plan.refusesTaken)
        guard item.isNameChosen, !plan.refusesTaken, try await !reportsFreeNames(inFolderOf: item) else {
            return wanted
        }
        return RemoteName.unique(item)
    }

    /// Returns whether the server's responses show that a name is free. The function sends a HEAD for an
    /// unused name. Without list permission, S3 responds to this HEAD with 403.
    private func reportsFreeNames(inFolderOf item: UploadItem) async throws(UploadFailure) -> Bool {
        if let showsFreeNames { return showsFreeNames }
        let name = RemoteName.sibling(item.remoteName, RemoteName.trials(item).second)
        let head = try await client.send("HEAD", key: key(name))
        let status = head.http.status
        // A failure with a status other than 403 and 404 is an error. After a success (an object unexpectedly
        // has this name) or 403, the list permission decides.
        guard [403, 404].contains(status) || !head.isRefused else {
            throw client.refusal(head, at: .look, name)
        }
        let shows = status == 404 ? true : try await mayList()
        showsFreeNames = shows
        return shows
    }

    /// Returns whether a name is free, belongs to this photo, or belongs to another object.
    ///
    /// - Parameters:
    ///   - file: The photo's file, which is hashed if the entity tag is an MD5. `nil` for a photo that is
    ///     sent in parts.
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
        // Without list permission, S3 also responds with 403 for a missing object (S3 API, HeadObject). If
        // the trial could read the size of an object, 403 therefore means that the name is free.
        if head.http.status == 403, try await !mayList(), !isTaken,
            memory.capabilities[.size]?.isOffered == true
        {
            return .free
        }
        guard !head.isRefused else { throw client.refusal(head, at: .look, name) }
        let length = head.http.contentLength
        guard length == nil || length == item.bytes else { return .taken }
        let tag = md5Tag(of: head)
        let md5 = if tag != nil, known == nil { try await file?.md5() } else { known }
        if let md5, tag == Hex.text(md5) {
            let evidence = "etag \(Hex.text(md5))"
            return .same(
                UploadReceipt(remoteName: name, proof: .checksum, evidence: evidence, alreadyExisted: true))
        }
        // The entity tag of a multipart object or of an encrypted object is not the MD5 of its bytes.
        let isOurs = !item.sha256.isEmpty && head.http["x-amz-meta-sha256"] == item.sha256
        guard isOurs, tag == nil, length != nil else { return .taken }
        return .same(
            UploadReceipt(
                remoteName: name, proof: .size, evidence: "size \(item.bytes), noted sha256 \(item.sha256)",
                alreadyExisted: true))
    }

    /// Returns the MD5 of an object from its entity tag, or `nil` if the tag is not an MD5.
    func md5Tag(of response: S3Response) -> String? {
        hasMD5Tag(response) ? response.http.md5Tag : nil
    }

    /// Returns whether the service computes the entity tag in a response from MD5s of the object's bytes.
    func hasMD5Tag(_ response: S3Response) -> Bool {
        // For objects encrypted by a key service, the tag is not an MD5 (S3 API, "ETag" of PutObject).
        let isPlain = response.http["x-amz-server-side-encryption"].map { $0 == "AES256" } ?? true
        return isPlain && tagsAreMD5
    }

    /// Returns whether the access key has permission to list the bucket.
    ///
    /// - Throws: The failure for any other refusal, for example of the access key.
    func mayList() async throws(UploadFailure) -> Bool {
        let response = try await client.send("GET", key: nil, query: [("list-type", "2"), ("max-keys", "1")])
        guard response.isRefused else { return true }
        let failure = client.refusal(response, at: .look, nil)
        // After a limit of requests is reached, Backblaze B2 refuses to list objects that the key may list.
        guard response.code == "AccessDenied", failure.kind == .permanent(.forbidden) else { throw failure }
        return false
    }
}
