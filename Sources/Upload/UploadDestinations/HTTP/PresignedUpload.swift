import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The upload of one photo to a URL from the server. The upload requests the URL, sends the photo, and waits
/// until the server has processed the photo.
struct PresignedUpload {
    /// The prefix of the resume point of a photo that was sent. The upload's ID follows the prefix.
    private static let uploadedMark = "uploaded "
    /// The resume point of a photo that must be sent again because the server lost its upload.
    private static let again = "again"
    /// The prefix of the resume point of a photo that was sent twice. The upload's ID follows the prefix.
    private static let resentMark = "resent "

    private let destination: HTTPDestination
    private let presign: PresignSettings
    private let file: PhotoFile
    private let item: UploadItem

    init(_ destination: HTTPDestination, _ presign: PresignSettings, _ file: PhotoFile, _ item: UploadItem) {
        self.destination = destination
        self.presign = presign
        self.file = file
        self.item = item
    }

    /// The photo's file name, for messages.
    private var name: String { RemoteName.split(item.remoteName).file }

    func run(_ progress: @escaping @Sendable (UInt64) -> Void) async throws(UploadFailure) -> UploadReceipt {
        for mark in [Self.uploadedMark, Self.resentMark] {
            guard let point = item.resumePoint, point.hasPrefix(mark) else { continue }
            // The photo was sent, but the server has not confirmed it.
            return try await awaitCompletion(
                String(point.dropFirst(mark.count)), sum: nil, isResent: mark == Self.resentMark)
        }
        let isResent = item.resumePoint == Self.again
        let grant = try await requestGrant()
        let md5 = try await file.md5()
        var headers = grant.headers
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(HTTPHeader("Content-Type", MediaType.of(item.remoteName)))
        }
        // The URL may be on another server, which must not receive the destination's credentials.
        let client = HTTPClient(
            url: grant.url, connection: destination.settings.connection,
            transport: destination.client.transport, clock: destination.client.clock)
        let response = try await client.send(
            "PUT", grant.url, headers: headers, body: .photo(file), progress: progress)
        guard response.isSuccess else {
            if response.status == 403 {
                throw UploadFailure(
                    .transient, "\(client.place) did not accept the upload URL (it may have expired).")
            }
            throw response.refusal(place: client.place, name: name)
        }
        if let tag = response.md5Tag, tag != Hex.text(md5), response["x-amz-server-side-encryption"] == nil {
            throw UploadFailure(
                .transient, "The photo arrived at \(client.place) corrupted (its entity tag is \(tag)).")
        }
        let sum = destination.checksum(response, md5)
        guard let id = grant.id, presign.statusURL != nil else {
            return receipt(sum, "status \(response.status)")
        }
        await item.saveResumePoint((isResent ? Self.resentMark : Self.uploadedMark) + id)
        return try await awaitCompletion(id, sum: sum, isResent: isResent)
    }

    private struct Grant {
        var url: String
        var headers: [HTTPHeader]
        var id: String?
    }

    /// Requests an upload URL for the photo.
    private func requestGrant() async throws(UploadFailure) -> Grant {
        let client = destination.client
        let photo: [String: Any] = [
            "name": item.remoteName, "bytes": item.bytes, "sha256": item.sha256,
            "content_type": MediaType.of(item.remoteName), "facts": item.facts.byName,
        ]
        guard let json = try? JSONSerialization.data(withJSONObject: photo) else {
            throw unusableFailure("The request")
        }
        let url = try URLTemplate.fill(
            destination.settings.url, name: item.remoteName, facts: item.facts, encodes: true)
        var headers = try destination.headers(item).filter { $0.name.lowercased() != "content-type" }
        headers.append(HTTPHeader("Content-Type", "application/json"))
        let response = try await client.send(
            "POST", url, headers: headers, body: UploadBody([.bytes(Array(json))]))
        guard response.isSuccess else { throw response.refusal(place: client.place, name: name) }
        guard let given = value(presign.urlField, in: response) as? String else {
            throw unusableFailure("The response to the request")
        }
        do {
            try HTTPClient.check(given)
        } catch {
            throw unusableFailure("The URL in the response to the request")
        }
        guard !client.place.lowercased().hasPrefix("https:") || given.lowercased().hasPrefix("https:") else {
            throw UploadFailure(
                .permanent(.untrusted), "\(client.place) returned an unencrypted URL.",
                nextStep: "Configure the server to return https URLs.")
        }
        let more = value(presign.headersField, in: response) as? [String: String] ?? [:]
        let id = value(presign.idField, in: response).map { "\($0)" }
        return Grant(
            url: given, headers: more.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }, id: id)
    }

    /// Polls the state of an upload until the state is final or the time limit has passed.
    ///
    /// - Parameter isResent: Whether the photo was sent twice because the server lost its first upload.
    private func awaitCompletion(
        _ id: String, sum: String?, isResent: Bool
    ) async throws(UploadFailure) -> UploadReceipt {
        let client = destination.client
        let url = try URLTemplate.fill(
            presign.statusURL ?? "", name: item.remoteName, facts: item.facts, more: ["id": id], encodes: true
        )
        let end = client.clock.uptime() + presign.pollSecondsMax
        while true {
            let response = try await client.send("GET", url, headers: try destination.headers(item))
            if [404, 410].contains(response.status) {
                throw await unknownUploadFailure(response, at: url, isResent)
            }
            guard response.isSuccess else {
                throw response.refusal(place: client.place, at: .complete, name: name)
            }
            let state = value(presign.stateField, in: response).map { "\($0)" } ?? ""
            if presign.doneStates.contains(state) {
                await item.saveResumePoint(nil)
                return receipt(sum, "state \(state)")
            }
            if presign.failedStates.contains(state) {
                await item.saveResumePoint(nil)
                throw UploadFailure(
                    .permanent(.unprocessable),
                    "\(client.place) could not process the photo (state \(state)).",
                    nextStep: "Check the server's log, then retry.")
            }
            guard client.clock.uptime() < end else {
                throw UploadFailure(
                    .outage(retryAfterSeconds: nil),
                    "\(client.place) has the photo but has not finished processing it.")
            }
            do {
                try await client.clock.sleep(presign.pollSeconds)
            } catch {
                throw UploadFailure.stopped
            }
        }
    }

    /// Returns the failure for an upload that the server does not find. The server may have lost the photo,
    /// so the next attempt sends the photo again. If the server does not find the second upload either, the
    /// status URL is probably wrong, and the failure is permanent.
    private func unknownUploadFailure(_ response: CurlResponse, at url: String, _ isResent: Bool) async
        -> UploadFailure
    {
        let sentence =
            "\(HTTPClient.place(of: url)) does not find the upload at the address in 'status_url' "
            + "(status \(response.status))."
        guard isResent else {
            await item.saveResumePoint(Self.again)
            return UploadFailure(.transient, sentence, step: .complete)
        }
        return UploadFailure(
            .permanent(.unprocessable), sentence,
            nextStep: "Check 'status_url' in the destination's settings, and the server's log, then retry, "
                + "or drop the upload and add the photo again.",
            step: .complete)
    }

    private func receipt(_ sum: String?, _ word: String) -> UploadReceipt {
        UploadReceipt(
            remoteName: item.remoteName, proof: sum == nil ? .word : .checksum, evidence: sum ?? word)
    }

    /// Returns the value at a path in a JSON response, or `nil` if it is missing or null.
    private func value(_ path: String, in response: CurlResponse) -> Any? {
        var current: Any? = try? JSONSerialization.jsonObject(with: Data(response.body))
        for key in path.split(separator: ".") { current = (current as? [String: Any])?[String(key)] }
        return current is NSNull ? nil : current
    }

    private func unusableFailure(_ what: String) -> UploadFailure {
        UploadFailure(
            .permanent(.misconfigured),
            "\(what) for an upload URL at \(destination.client.place) cannot be used.",
            nextStep: "Check the destination's address and the fields of its response.")
    }
}
