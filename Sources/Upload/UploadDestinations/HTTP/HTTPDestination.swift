import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// A destination on an HTTP server, by PUT, form or presigned URL.
///
/// HTTP has no rename, so a PUT stores the photo directly under its final name. After a broken connection, a
/// server may keep a part of the photo. The next attempt replaces the file only if the file's bytes are the
/// beginning of the same photo. On servers that replace existing files, photos have unique names.
struct HTTPDestination: UploadDestination {
    let settings: HTTPSettings
    let client: HTTPClient
    let memory: DestinationMemory
    private let plans = TransferPlans()
    let checksums = ShownChecksums()

    init(
        _ settings: HTTPSettings, memory: DestinationMemory = DestinationMemory(), clock: HostClock = .system
    ) {
        self.settings = settings
        self.memory = memory
        client = HTTPClient(
            url: settings.url, connection: settings.connection, credentials: settings.credentials,
            clock: clock)
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try HTTPClient.check(settings.url)
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        switch settings.method {
        case .put:
            return try await plans.upload { () throws(UploadFailure) in
                try await runTrial(item)
            } _: { plan throws(UploadFailure) in
                try await put(file, item, plan, progress)
            }
        case .form(let field, let fields): return try await post(file, item, field, fields, progress)
        case .presigned(let presign):
            return try await PresignedUpload(self, presign, file, item).run(progress)
        }
    }

    // MARK: PUT

    private func put(
        _ file: PhotoFile, _ item: UploadItem, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let wanted = RemoteName.wanted(
            item, refusesTaken: plan.refusesTaken && memory.recognisesPhotos)
        let sendsMD5 = memory.offers(.md5Header)
        let md5 = isReadBackOnly ? nil : try await file.md5()
        for number in 0...RemoteName.suffixesMax {
            let name = RemoteName.candidate(wanted, number)
            let url = try url(name, item)
            let tried = item.resumePoint.flatMap(PutAttempt.init).flatMap { $0.name == name ? $0 : nil }
            let wasTried = tried != nil
            // A unique name belongs only to this upload, even if no attempt is recorded. At the first
            // attempt, no file has this name.
            let isOnlyOurs = !item.isNameChosen && name == RemoteName.unique(item)
            var wasFree = isOnlyOurs && item.isFirstTry
            let isConditional =
                memory.offers(.condition) && !memory.replacesUnseen(item, isOnlyOurs: isOnlyOurs)
            var condition = isConditional ? [HTTPHeader("If-None-Match", "*")] : []
            if wasTried || settings.checksNameFirst && !wasFree {
                switch try await checkName(item, name, url, md5) {
                case .free: wasFree = true
                case .unknown: break
                case .same(let receipt): return receipt
                case .taken(let tag):
                    // The file belongs to this upload if the name is unique to the upload, or if the file
                    // still has the entity tag of the earlier attempt. Otherwise, the bytes must be the
                    // beginning of the photo, and an earlier attempt must have tried the name.
                    let isOurs = isOnlyOurs || tag != nil && tag == tried?.copyTag
                    if !isOurs {
                        guard wasTried, try await file.matchesPart(client.readBack(url).hashed) else {
                            continue
                        }
                    }
                    // The file belongs to this upload. The condition prevents the replacement of a newer
                    // file.
                    condition = tag.map { [HTTPHeader("If-Match", $0)] } ?? []
                }
            }
            if !isOnlyOurs { await item.saveResumePoint(PutAttempt(name: name).text) }
            let sum = md5.map { [HTTPHeader("Content-MD5", Data($0).base64EncodedString())] } ?? []
            let headers = try headers(item) + (sendsMD5 ? sum : []) + condition
            let response = try await client.send(
                "PUT", url, headers: headers, body: .photo(file), progress: progress)
            if response.status == 412 {
                guard !(wasFree && response.wasSentAgain) else {
                    throw UploadFailure(
                        .transient, "The connection to \(client.place) was lost during the transfer.")
                }
                // Another client stored a file under the name after the check.
                await item.saveResumePoint(nil)
                guard case .same(let receipt) = try await checkName(item, name, url, md5) else { continue }
                return receipt
            }
            guard response.isSuccess else { throw client.refusal(response, at: .send, url) }
            return try await verify(response, file, item, name, url, md5)
        }
        throw RemoteName.allTaken(item.remoteName, client.place)
    }

    private enum NameState {
        case free
        case same(UploadReceipt)
        /// Another file has the name. The value is the file's entity tag, as the server sent it.
        case taken(String?)
        /// The server does not report whether the name is free.
        case unknown
    }

    /// Checks a name with HEAD, or by reading the file back if the server does not support HEAD. If a file
    /// with this name exists, compares the file with the photo.
    private func checkName(
        _ item: UploadItem, _ name: String, _ url: String, _ md5: [UInt8]?
    ) async throws(UploadFailure) -> NameState {
        guard memory.offers(.size) else { return try await checkNameByReading(item, name, url) }
        let head = try await client.send("HEAD", url)
        switch head.status {
        case 404, 410: return .free
        case 200..<300: break
        case _ where head.isTemporaryRefusal || head.status == 401:
            throw client.refusal(head, at: .look, url)
        default: return .unknown
        }
        let taken = NameState.taken(head["etag"])
        guard head.contentLength == nil || head.contentLength == item.bytes else { return taken }
        if let sum = checksum(head, md5) {
            return .same(
                UploadReceipt(remoteName: name, proof: .checksum, evidence: sum, alreadyExisted: true))
        }
        guard memory.offers(.readBack), try await client.hasPhoto(item, at: url) else { return taken }
        return .same(.alreadyExisted(item, named: name))
    }

    /// Checks a name by reading the file back, for a server that does not support HEAD.
    private func checkNameByReading(
        _ item: UploadItem, _ name: String, _ url: String
    ) async throws(UploadFailure) -> NameState {
        guard memory.offers(.readBack) else { return .unknown }
        let copy = try await client.send("GET", url, headers: [HTTPClient.uncached], sink: .hashed)
        if [404, 410].contains(copy.status) { return .free }
        if copy.isTemporaryRefusal { throw client.refusal(copy, at: .readBack, url) }
        guard copy.status == 200 else { return .unknown }
        guard copy.isPhoto(item) else { return .taken(copy["etag"]) }
        return .same(.alreadyExisted(item, named: name))
    }

    // MARK: Verification

    private var readsBack: Bool { settings.verification.readsBack(encrypted: client.isEncrypted) }

    /// Whether each copy is read back because the server sends no checksums. If `true`, an MD5 or a check of
    /// the length adds no evidence.
    private var isReadBackOnly: Bool {
        readsBack && memory.offers(.readBack) && checksums.areShown == false
    }

    /// Returns the evidence if a checksum in the response is equal to the photo's. Returns `nil` otherwise.
    func checksum(_ response: CurlResponse, _ md5: [UInt8]?) -> String? {
        guard let md5 else { return nil }
        if response.md5Tag == Hex.text(md5) { return "etag \(Hex.text(md5))" }
        if response["content-md5"] == Data(md5).base64EncodedString() {
            return "content-md5 \(Hex.text(md5))"
        }
        return nil
    }

    private func verify(
        _ response: CurlResponse, _ file: PhotoFile, _ item: UploadItem, _ name: String, _ url: String,
        _ md5: [UInt8]?
    ) async throws(UploadFailure) -> UploadReceipt {
        if let sum = checksum(response, md5) {
            checksums.record(true)
            return UploadReceipt(remoteName: name, proof: .checksum, evidence: sum)
        }
        if isReadBackOnly || readsBack && memory.offers(.readBack) && !memory.offers(.size) {
            let copy = try await client.send("GET", url, headers: [HTTPClient.uncached], sink: .hashed)
            if copy.status == 200 { return try await receipt(copy, file, item, name) }
        }
        let unseen = UploadReceipt(remoteName: name, proof: .word, evidence: UploadReceipt.notVerified)
        guard memory.offers(.size) else { return unseen }
        let head = try await client.send("HEAD", url)
        guard head.isSuccess, let length = head.contentLength else {
            // The server accepts files, but refuses to report their sizes.
            if head.isTemporaryRefusal { throw client.refusal(head, at: .look, url) }
            await memory.learn(.size, isOffered: false, reason: "status \(head.status)")
            return unseen
        }
        guard length == item.bytes else { throw try await changedCopyFailure(head, file, item, name) }
        await memory.learn(.size, isOffered: true)
        if let sum = checksum(head, md5) {
            checksums.record(true)
            return UploadReceipt(remoteName: name, proof: .checksum, evidence: sum)
        }
        checksums.record(false)
        guard readsBack, memory.offers(.readBack) else {
            return UploadReceipt(remoteName: name, proof: .size, evidence: "size \(item.bytes)")
        }
        let copy: CurlResponse
        do throws(UploadFailure) {
            copy = try await client.readBack(url)
            await memory.learn(.readBack, isOffered: true)
        } catch {
            guard case .permanent = error.kind, error.mayConcernOneRequest else { throw error }
            await memory.learn(.readBack, isOffered: false, reason: error.sentence)
            return UploadReceipt(remoteName: name, proof: .size, evidence: "size \(item.bytes)")
        }
        return try await receipt(copy, file, item, name)
    }

    /// Returns the receipt for a copy that was read back.
    ///
    /// - Throws: A failure if the copy differs from the photo.
    private func receipt(
        _ copy: CurlResponse, _ file: PhotoFile, _ item: UploadItem, _ name: String
    ) async throws(UploadFailure) -> UploadReceipt {
        guard copy.isPhoto(item) else { throw try await changedCopyFailure(copy, file, item, name) }
        let evidence = "sha256 \(item.sha256) read back"
        return UploadReceipt(remoteName: name, proof: .checksum, evidence: evidence)
    }

    /// Returns the failure for a copy that differs from the photo. Records the copy's entity tag. With the
    /// tag, the next attempt can replace the copy.
    private func changedCopyFailure(
        _ response: CurlResponse, _ file: PhotoFile, _ item: UploadItem, _ name: String
    ) async throws(UploadFailure) -> UploadFailure {
        await item.saveResumePoint(PutAttempt(name: name, copyTag: response["etag"]).text)
        try await file.checkUnchanged(item)
        return UploadFailure(.transient, "The photo arrived at \(client.place) corrupted or truncated.")
    }

    // MARK: Address and headers

    func url(_ name: String, _ item: UploadItem) throws(UploadFailure) -> String {
        try URLTemplate.fill(settings.url, name: name, facts: item.facts, encodes: true)
    }

    func headers(_ item: UploadItem) throws(UploadFailure) -> [HTTPHeader] {
        var all = [HTTPHeader("Content-Type", MediaType.of(item.remoteName))]
        for header in settings.headers {
            all.removeAll { $0.name.lowercased() == header.name.lowercased() }
            let value = try URLTemplate.fill(
                header.value, name: item.remoteName, facts: item.facts, encodes: false)
            all.append(HTTPHeader(header.name, value))
        }
        return all
    }

    // MARK: Probes

    /// Sends a request for the server's root.
    func probe() async throws(UploadFailure) {
        try HTTPClient.check(settings.url)
        try await client.probe("\(client.place)/")
    }

    /// Deletes the file of a probe. Does nothing for a form or a presigned URL, because the server manages
    /// those files.
    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        guard settings.method == .put else { return }
        let response = try await client.send("DELETE", try url(name, probe))
        guard response.isSuccess else { throw response.refusal(place: client.place, at: .remove, name: name) }
    }

    /// Whether uploads may test the server with a probe. Only PUT allows probes, because a photo sent by a
    /// form may appear in a public gallery.
    var acceptsProbes: Bool { settings.method == .put }

    func relearnFeatures() async { await plans.reset() }

    func replacesTakenNames() async -> Bool? { await plans.refusesTaken.map { !$0 } }

    func close() async { client.transport.closeIdle() }
}
