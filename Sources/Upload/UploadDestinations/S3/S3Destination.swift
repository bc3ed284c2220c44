import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// A destination in an S3 bucket.
///
/// The server verifies the photo's MD5 (`Content-MD5`) and, if possible, the recorded SHA-256. The
/// destination also compares the entity tag with the MD5. The MD5 is sent in a header, and is therefore
/// computed before the transfer. Reading a recently saved file for the MD5 is fast, because the file is still
/// in the page cache.
///
/// If a test shows that the server refuses a wrong SHA-256, later uploads send the recorded SHA-256 without
/// an MD5. The file is then not read and hashed again.
actor S3Destination: UploadDestination {
    let settings: S3Settings
    let client: S3Client
    /// Whether the server supports `If-None-Match` according to the settings, or `nil` if a trial decides.
    let conditionKnown: Bool?
    let memory: DestinationMemory
    private let plans = TransferPlans()
    /// Whether the server verifies `x-amz-checksum-sha256`, or `nil` before the test. Some servers return the
    /// header without verifying it.
    private var checksSum: Bool?
    /// Whether the server's responses show that a name is free, or `nil` before the first check.
    var showsFreeNames: Bool?
    /// Whether an entity tag with 32 hexadecimal digits is the MD5 of its object. A trial sets this to
    /// `false` if its object has the right bytes but another tag.
    var tagsAreMD5 = true
    /// The entity tag of the current trial's object, or `nil` if it does not look like an MD5.
    var trialTag: String?
    /// Whether an upload is running the test for ``checksSum``. The first photos are uploaded in parallel,
    /// and one test is enough.
    private var isLearning = false

    init(
        _ settings: S3Settings, memory: DestinationMemory = DestinationMemory(),
        clock: HostClock = .system
    ) {
        self.settings = settings
        self.memory = memory
        client = S3Client(settings, clock: clock)
        conditionKnown =
            switch settings.keyCheck {
            case .automatic: nil
            case .ifNoneMatch: true
            case .lookFirst: false
            }
    }

    /// Uploads a photo, in parts if it is large.
    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try S3Address.check(settings)
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        return try await plans.upload { () throws(UploadFailure) in
            try await self.runTrial(item)
        } _: { plan throws(UploadFailure) in
            if item.bytes > max(self.settings.multipartFromBytes, 5 << 20) {
                return try await S3Multipart(self, file, item, plan, progress).upload()
            }
            return try await self.upload(file, item, plan, progress)
        }
    }

    private func upload(
        _ file: PhotoFile, _ item: UploadItem, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let refuses = plan.refusesTaken
        let wanted = try await wantedName(item, plan)
        let md5 = checksSum == true && sum(of: item) != nil ? nil : try await file.md5()
        for number in Self.firstNumber(item, wanted)..<RemoteName.suffixesMax + 1 {
            let name = RemoteName.candidate(wanted, number)
            if !refuses {
                switch try await checkName(name, for: item, file, md5: md5) {
                case .free: break
                case .same(let receipt): return receipt
                case .taken: continue
                }
            }
            let key = PutName(name: name, isConditional: refuses)
            if let receipt = try await put(file, item, as: key, md5: md5, progress) { return receipt }
            // The server refused the name because an object has it.
            guard memory.offers(.size) else {
                if let receipt = ownReceipt(name, item) { return receipt }
                continue
            }
            switch try await checkName(name, for: item, file, md5: md5, isTaken: true) {
            case .same(let receipt): return receipt
            case .taken: continue
            case .free:
                throw UploadFailure(
                    .transient,
                    "\(client.client.place) refused the name \(name) as taken, but has no object with this name."
                )
            }
        }
        throw RemoteName.allTaken(item.remoteName, client.client.place)
    }

    /// The start of the resume point after a photo arrived corrupted, if the corrupted copy may still exist.
    /// The copy's name follows this text.
    private static let wrongMark = "wrong "

    /// Returns the number of the first name to try. If the resume point contains the name of a corrupted copy
    /// of this photo, the result is the number after the number of that name. Otherwise, the result is 0.
    static func firstNumber(_ item: UploadItem, _ wanted: String) -> Int {
        guard let point = item.resumePoint, point.hasPrefix(wrongMark) else { return 0 }
        let wrong = (0...RemoteName.suffixesMax).first {
            point == wrongMark + RemoteName.candidate(wanted, $0)
        }
        return wrong.map { $0 + 1 } ?? 0
    }

    /// Returns the receipt for a refused name that is unique to this upload. An earlier attempt stored the
    /// photo under this name without receiving the response. Returns `nil` for other names.
    nonisolated func ownReceipt(_ name: String, _ item: UploadItem) -> UploadReceipt? {
        guard RemoteName.isOnlyOurs(name, of: item) else { return nil }
        return UploadReceipt(
            remoteName: name, proof: .word, evidence: UploadReceipt.notVerified, alreadyExisted: true)
    }

    /// A name for a photo, with the condition for its PUT.
    struct PutName {
        var name: String
        /// Whether the PUT must fail if an object has the name.
        var isConditional: Bool
    }

    /// - Returns: The receipt, or `nil` if an object has the key.
    private func put(
        _ file: PhotoFile, _ item: UploadItem, as key: PutName, md5: [UInt8]?,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt? {
        let response = try await send(file, item, key, md5, progress)
        if response.http.status == 412 { return nil }
        if response.isRefused {
            let failure = client.refusal(response, at: .send, key.name)
            if failure.kind == .transient { try await file.checkUnchanged(item) }
            throw failure
        }
        let receipt = try await verify(response, file, item, key, md5)
        if checksSum == nil, !isLearning {
            isLearning = true
            let repeated = response.http["x-amz-checksum-sha256"]
            let doesRepeat = repeated != nil && repeated == sum(of: item)
            checksSum = doesRepeat ? await refusesWrongSum() : false
            isLearning = false
        }
        return receipt
    }

    private func send(
        _ file: PhotoFile, _ item: UploadItem, _ key: PutName, _ md5: [UInt8]?,
        _ progress: (@Sendable (UInt64) -> Void)?
    ) async throws(UploadFailure) -> S3Response {
        var headers = objectHeaders(file, item, key.name)
        if let md5, memory.offers(.md5Header) {
            headers.append(HTTPHeader("Content-MD5", Data(md5).base64EncodedString()))
        }
        let sum = sum(of: item)
        if settings.sendsChecksum, memory.offers(.checksumHeader), let sum {
            headers.append(HTTPHeader("x-amz-checksum-sha256", sum))
        }
        if key.isConditional { headers.append(HTTPHeader("If-None-Match", "*")) }
        return try await client.send(
            "PUT", key: self.key(key.name), headers: headers, body: .photo(file),
            payload: sum == nil ? S3Client.unsigned : item.sha256, progress: progress)
    }

    /// Returns the recorded SHA-256 in base64, or `nil` if no SHA-256 was recorded.
    private func sum(of item: UploadItem) -> String? {
        Hex.bytes(item.sha256).flatMap { $0.count == 32 ? Data($0).base64EncodedString() : nil }
    }

    /// Returns the headers that describe the object, for a single PUT and for a multipart upload.
    func objectHeaders(_ file: PhotoFile, _ item: UploadItem, _ name: String) -> [HTTPHeader] {
        guard memory.offers(.metadata) else { return [Self.typeHeader(name)] }
        let sum = item.sha256.isEmpty ? [] : [HTTPHeader("x-amz-meta-sha256", item.sha256)]
        return [Self.typeHeader(name)] + sum + [Self.timeHeader(file.capturedAt)]
    }

    /// Returns the header for the media type. Some firewalls refuse a PUT without this header.
    static func typeHeader(_ name: String) -> HTTPHeader { HTTPHeader("Content-Type", MediaType.of(name)) }

    /// Returns the header for the capture time, in seconds since 1970. rclone uses the same header for
    /// modification times.
    static func timeHeader(_ seconds: Int64) -> HTTPHeader { HTTPHeader("x-amz-meta-mtime", String(seconds)) }

    private func verify(
        _ response: S3Response, _ file: PhotoFile, _ item: UploadItem, _ key: PutName, _ known: [UInt8]?
    ) async throws(UploadFailure) -> UploadReceipt {
        let name = key.name
        let sum = sum(of: item)
        if checksSum == true, let sum, response.http["x-amz-checksum-sha256"] == sum {
            return UploadReceipt(remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256)")
        }
        let md5 = if let known { known } else { try await file.md5() }
        if let tag = md5Tag(of: response) {
            guard tag == Hex.text(md5) else {
                // Without read permission, this resume point is the only record that the name has a corrupted
                // copy.
                if !memory.offers(.size) { await item.saveResumePoint(Self.wrongMark + name) }
                // Deletes the corrupted copy, because the photo needs the name.
                await removeOurs(
                    self.key(name), version: response.http["x-amz-version-id"], tag: response.http.entityTag)
                try await file.checkUnchanged(item)
                throw UploadFailure(
                    .transient,
                    "The photo arrived at \(client.client.place) corrupted (its entity tag is \(tag)).")
            }
            return UploadReceipt(remoteName: name, proof: .checksum, evidence: "etag \(tag)")
        }
        guard memory.offers(.size) else {
            return UploadReceipt(remoteName: name, proof: .word, evidence: UploadReceipt.notVerified)
        }
        let head = try await client.send(
            "HEAD", key: self.key(name),
            headers: memory.offers(.checksumHeader) ? [HTTPHeader("x-amz-checksum-mode", "ENABLED")] : [])
        guard !head.isRefused else {
            let failure = client.refusal(head, at: .look, name)
            if head.http.status == 404 { throw Self.notThere(client.client.place, name) }
            guard case .permanent = failure.kind, failure.mayConcernOneRequest else { throw failure }
            await memory.learn(.size, isOffered: false, reason: failure.sentence)
            return UploadReceipt(remoteName: name, proof: .word, evidence: UploadReceipt.notVerified)
        }
        if let sum, head.http["x-amz-checksum-sha256"] == sum {
            return UploadReceipt(remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256)")
        }
        guard let length = head.http.contentLength else {
            await memory.learn(.size, isOffered: false, reason: Self.noSize)
            return UploadReceipt(remoteName: name, proof: .word, evidence: UploadReceipt.notVerified)
        }
        guard length == item.bytes else {
            await removeOurs(
                self.key(name), version: response.http["x-amz-version-id"], tag: response.http.entityTag)
            throw UploadFailure(.transient, "The photo arrived at \(client.client.place) truncated.")
        }
        return UploadReceipt(remoteName: name, proof: .size, evidence: "size \(item.bytes)")
    }

    /// The recorded reason for a server that reports no sizes.
    static let noSize = "The response to HEAD has no size."

    /// Returns the failure of an upload that the server accepted but does not list.
    nonisolated static func notThere(_ place: String, _ name: String) -> UploadFailure {
        UploadFailure(.transient, "\(place) accepted the photo but does not list it under \(name).")
    }

    /// Deletes the object that this upload's PUT created, but never a newer object. If the bucket keeps
    /// versions, the function deletes the version of the PUT. Otherwise, it deletes the object only if the
    /// object still has the entity tag of the PUT.
    ///
    /// - Parameter tag: The entity tag in the response to the PUT.
    func removeOurs(_ key: String, version: String?, tag: String?) async {
        if let version, version != "null" {
            _ = try? await client.send("DELETE", key: key, query: [("versionId", version)])
            return
        }
        guard let tag = tag.map(Self.bare), !tag.isEmpty, let head = try? await client.send("HEAD", key: key),
            !head.isRefused, head.http.entityTag.map(Self.bare) == tag
        else { return }
        // A server that supports the condition refuses the deletion if the object changed after the check.
        _ = try? await client.send("DELETE", key: key, headers: [HTTPHeader("If-Match", "\"\(tag)\"")])
    }

    /// Returns an entity tag without its quotes.
    private static func bare(_ tag: String) -> String { tag.filter { $0 != "\"" } }

    /// Returns the key for a name.
    nonisolated func key(_ name: String) -> String { settings.prefix + name }

    /// Sends a request for the bucket. The probe also succeeds if the access key may write but not list, or
    /// if the account has reached a limit, because the limit may apply only to lists.
    func probe() async throws(UploadFailure) {
        try S3Address.check(settings)
        do throws(UploadFailure) { _ = try await mayList() } catch {
            guard error.kind == .permanent(.full) else { throw error }
        }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let response = try await client.send("DELETE", key: key(name))
        guard !response.isRefused else { throw client.refusal(response, at: .remove, name) }
    }

    /// Aborts the multipart upload that the resume point records.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        guard let point = S3Multipart.ResumePoint(of: item) else { return }
        let response = try await client.send(
            "DELETE", key: key(point.name), query: [("uploadId", point.upload)])
        guard !response.isRefused || response.http.status == 404 else {
            throw client.refusal(response, at: .remove, point.name)
        }
    }

    /// Discards the transfer plan and the value of ``showsFreeNames``.
    func relearnFeatures() async {
        showsFreeNames = nil
        await plans.reset()
    }

    func replacesTakenNames() async -> Bool? {
        if let conditionKnown { return !conditionKnown }
        return await plans.refusesTaken.map { !$0 }
    }

    func close() async { client.client.transport.closeIdle() }
}
