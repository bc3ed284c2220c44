import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The upload of one large photo in parts. Each stored part is recorded, and a later attempt resumes the
/// upload.
struct S3Multipart {
    /// The recorded state of an upload, which needs only 32 characters for each part.
    struct ResumePoint: Codable, Hashable {
        var upload: String
        var name: String
        var partBytes: UInt64
        var sha256: String
        var tags: [String]
    }

    private let destination: S3Destination
    private let file: PhotoFile
    private let item: UploadItem
    private let plan: TransferPlan
    private let progress: @Sendable (UInt64) -> Void
    private let client: S3Client

    init(
        _ destination: S3Destination, _ file: PhotoFile, _ item: UploadItem, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) {
        self.destination = destination
        self.file = file
        self.item = item
        self.plan = plan
        self.progress = progress
        client = destination.client
    }

    func upload() async throws(UploadFailure) -> UploadReceipt {
        if let point = ResumePoint(of: item) {
            if case .delivered(let receipt) = try await finish(point) { return receipt }
            // The server no longer has the multipart upload, refuses the number of parts, or has another
            // object with the name. A new upload starts.
            await item.saveResumePoint(nil)
        }
        let wanted = try await destination.wantedName(item, plan)
        for number in 0...RemoteName.suffixesMax {
            let name = RemoteName.candidate(wanted, number)
            switch try await destination.checkName(name, for: item, md5: nil) {
            case .same(let receipt): return receipt
            case .taken: continue
            case .free: break
            }
            await abortOrphans(name)
            let point = try await beginAndSave(name)
            switch try await finish(point) {
            case .delivered(let receipt): return receipt
            case .taken: continue
            case .lost:
                throw UploadFailure(.transient, "\(client.client.place) lost the parts of the photo.")
            }
        }
        throw RemoteName.allTaken(item.remoteName, client.client.place)
    }

    private func save(_ point: ResumePoint) async {
        guard let json = try? JSONEncoder().encode(point) else { return }
        await item.saveResumePoint(String(decoding: json, as: UTF8.self))
    }

    /// The longest time that a cancelled attempt waits for the response to the creation request, in seconds.
    /// This limit is half of the time in which a cancelled attempt must end.
    private static let responseSeconds = 2.0

    /// Creates a multipart upload and saves its ID. A cancelled attempt also saves the ID if the response
    /// arrives in time. Without a saved ID, only a later upload with the same key can abort the upload.
    private func beginAndSave(_ name: String) async throws(UploadFailure) -> ResumePoint {
        let begun = Task { () -> Result<ResumePoint, UploadFailure> in
            do throws(UploadFailure) {
                let point = try await createUpload(name)
                await save(point)
                return .success(point)
            } catch { return .failure(error) }
        }
        let result = await withTaskCancellationHandler {
            await begun.value
        } onCancel: {
            Task {
                try? await HostClock.system.sleep(Self.responseSeconds)
                begun.cancel()
            }
        }
        return try result.get()
    }

    private func createUpload(_ name: String) async throws(UploadFailure) -> ResumePoint {
        let headers = await destination.objectHeaders(file, item, name)
        let response = try await client.send(
            "POST", key: destination.key(name), query: [("uploads", "")], headers: headers,
            body: UploadBody([]))
        guard !response.isRefused else { throw client.refusal(response, at: .send, name) }
        guard let upload = response.element("UploadId") else {
            throw UploadFailure(
                .permanent(.misconfigured), "\(client.client.place) does not support multipart uploads.",
                nextStep: "Set the destination's part_size above the size of the photos.")
        }
        let partBytes = client.settings.partBytes(of: item.bytes)
        return ResumePoint(upload: upload, name: name, partBytes: partBytes, sha256: item.sha256, tags: [])
    }

    private enum Outcome {
        case delivered(UploadReceipt)
        /// Another object has the name.
        case taken
        /// The server no longer has the multipart upload, or the photo needs larger parts.
        case lost
    }

    /// Sends the missing parts, and completes the upload.
    private func finish(_ start: ResumePoint) async throws(UploadFailure) -> Outcome {
        var point = start
        let parts = Int((item.bytes + point.partBytes - 1) / point.partBytes)
        while point.tags.count < parts {
            let index = point.tags.count
            guard let tag = try await part(index, of: point) else { return .lost }
            point.tags.append(tag)
            await save(point)
            progress(min(UInt64(point.tags.count) * point.partBytes, item.bytes))
        }
        return try await complete(point)
    }

    /// - Returns: The part's entity tag, or its MD5 if the server sends no tag. `nil` if the server no longer
    ///   has the multipart upload, or if the photo needs a new upload with larger parts.
    private func part(_ index: Int, of point: ResumePoint) async throws(UploadFailure) -> String? {
        let offset = UInt64(index) * point.partBytes
        let count = min(point.partBytes, item.bytes - offset)
        let md5 = try await file.md5(at: offset, count: count)
        let progress = progress
        let response = try await client.send(
            "PUT", key: destination.key(point.name),
            query: [("partNumber", String(index + 1)), ("uploadId", point.upload)],
            headers: destination.memory.offers(.md5Header)
                ? [HTTPHeader("Content-MD5", Data(md5).base64EncodedString())] : [],
            body: .photo(file, from: offset, count: count), payload: S3Client.unsigned,
            progress: { progress(offset + $0) })
        if response.code == "NoSuchUpload" { return nil }
        guard !response.isRefused else {
            // With the recorded size of the parts, each later attempt would fail at the same part.
            if response.http.status == 400,
                client.settings.needsLargerParts(at: index, of: point.partBytes, photoBytes: item.bytes)
            {
                await abort(point.upload, destination.key(point.name))
                return nil
            }
            throw client.refusal(response, at: .send, point.name)
        }
        let own = Hex.text(md5)
        if let tag = await destination.md5Tag(of: response), tag != own {
            throw UploadFailure(
                .transient, "A part arrived at \(client.client.place) corrupted (its entity tag is \(tag)).")
        }
        // The server's tag identifies the part. The tag of an encrypted part is not an MD5.
        return response.http.entityTag ?? own
    }

    private func complete(_ point: ResumePoint) async throws(UploadFailure) -> Outcome {
        let list = point.tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\"\(tag)\"</ETag></Part>"
        }
        let xml = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
        let key = destination.key(point.name)
        // Another client may have stored an object under the name since the check. Only a server that
        // supports the condition `If-None-Match` detects such an object.
        let condition = plan.refusesTaken ? [HTTPHeader("If-None-Match", "*")] : []
        var response = try await client.send(
            "POST", key: key, query: [("uploadId", point.upload)],
            headers: [HTTPHeader("Content-Type", "application/xml")] + condition, body: .text(xml))
        if !condition.isEmpty, response.isRefused, [400, 501].contains(response.http.status),
            !["NoSuchUpload", "InvalidPart", "InvalidPartOrder"].contains(response.code)
        {
            // Some servers support the condition for objects, but not for multipart uploads.
            response = try await client.send(
                "POST", key: key, query: [("uploadId", point.upload)],
                headers: [HTTPHeader("Content-Type", "application/xml")], body: .text(xml))
        }
        if response.code == "NoSuchUpload" || response.http.status == 412 {
            // An earlier attempt may have completed the upload without receiving the response.
            let isTaken = response.http.status == 412
            if isTaken, !destination.memory.offers(.size) {
                await abort(point.upload, key)
                await item.saveResumePoint(nil)
                return destination.ownReceipt(point.name, item).map(Outcome.delivered) ?? .taken
            }
            guard
                case .same(let receipt) = try await destination.checkName(
                    point.name, for: item, md5: nil, isTaken: isTaken)
            else {
                await abort(point.upload, key)
                return isTaken ? .taken : .lost
            }
            await item.saveResumePoint(nil)
            return .delivered(receipt)
        }
        if response.isRefused {
            if ["InvalidPart", "InvalidPartOrder"].contains(response.code ?? "") {
                await abort(point.upload, key)
                await item.saveResumePoint(nil)
                throw UploadFailure(
                    .transient,
                    "\(client.client.place) could not combine the parts (\(response.code ?? "")).")
            }
            throw client.refusal(response, at: .complete, point.name)
        }
        let receipt = try await verify(response, point)
        await item.saveResumePoint(nil)
        return .delivered(receipt)
    }

    private func verify(_ response: S3Response, _ point: ResumePoint) async throws(UploadFailure)
        -> UploadReceipt
    {
        let sums = point.tags.compactMap { $0.utf8.count == 32 ? Hex.bytes($0) : nil }
        let whole = Hex.text(Insecure.MD5.hash(data: Data(sums.joined()))) + "-\(point.tags.count)"
        let tag = (response.element("ETag") ?? response.http.entityTag ?? "").filter { $0 != "\"" }
            .lowercased()
        // Other tags only show that the server combined the parts.
        let isProven =
            await destination.hasMD5Tag(response) && sums.count == point.tags.count && tag == whole
        func unseen() -> UploadReceipt {
            UploadReceipt(
                remoteName: point.name, proof: isProven ? .checksum : .word,
                evidence: isProven ? "etag \(tag)" : UploadReceipt.notVerified)
        }
        guard destination.memory.offers(.size) else { return unseen() }
        let head = try await client.send("HEAD", key: destination.key(point.name))
        guard !head.isRefused else {
            let failure = client.refusal(head, at: .look, point.name)
            if head.http.status == 404 { throw S3Destination.notThere(client.client.place, point.name) }
            guard case .permanent = failure.kind, failure.mayConcernOneRequest else { throw failure }
            await destination.memory.learn(.size, isOffered: false, reason: failure.sentence)
            return unseen()
        }
        guard let length = head.http.contentLength else {
            await destination.memory.learn(.size, isOffered: false, reason: S3Destination.noSize)
            return unseen()
        }
        guard length == item.bytes else {
            await item.saveResumePoint(nil)
            await destination.removeOurs(
                destination.key(point.name), version: response.http["x-amz-version-id"], tag: tag)
            throw UploadFailure(.transient, "The photo arrived at \(client.client.place) truncated.")
        }
        if isProven {
            return UploadReceipt(remoteName: point.name, proof: .checksum, evidence: "etag \(tag)")
        }
        return UploadReceipt(remoteName: point.name, proof: .size, evidence: "size \(item.bytes)")
    }

    private func abort(_ upload: String, _ key: String) async {
        _ = try? await client.send("DELETE", key: key, query: [("uploadId", upload)])
    }

    /// Aborts old unfinished uploads of the same key. A crash between creating and recording an upload leaves
    /// an unfinished upload behind, and the bucket's owner pays for the stored parts.
    private func abortOrphans(_ name: String) async {
        let key = destination.key(name)
        guard
            let response = try? await client.send(
                "GET", key: nil, query: [("uploads", ""), ("prefix", key)]),
            !response.isRefused
        else { return }
        let now = response.http.serverSeconds ?? client.client.clock.unixSeconds
        for upload in S3Response.elements("Upload", in: response.http.text) {
            guard S3Response.element("Key", in: upload) == key,
                let id = S3Response.element("UploadId", in: upload),
                let begun = S3Response.element("Initiated", in: upload).flatMap(Self.seconds),
                now - begun >= client.settings.orphanSeconds
            else { continue }
            await abort(id, key)
        }
    }

    /// Returns a time such as `2026-01-31T12:00:00.000Z` in seconds since 1970, or `nil` if it is invalid.
    private static func seconds(_ text: String) -> Int? {
        let plain = String(text.prefix(19)) + "Z"
        return (try? Date(plain, strategy: .iso8601)).map { Int($0.timeIntervalSince1970) }
    }
}

extension S3Multipart.ResumePoint {
    /// Creates the resume point that an earlier attempt saved for the same photo, or returns `nil` if there
    /// is no such resume point.
    init?(of item: UploadItem) {
        guard let text = item.resumePoint,
            let point = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            point.sha256 == item.sha256, point.partBytes >= 5 << 20
        else { return nil }
        self = point
    }
}
