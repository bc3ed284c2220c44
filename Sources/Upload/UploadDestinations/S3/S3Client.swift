import Foundation
import FrameFastSystem
import Synchronization
import TextForms
import UploadEngine

/// A client for one bucket that signs its requests. If the server rejects the time of a request, the client
/// uses the server's clock and retries once.
final class S3Client: Sendable {
    static let unsigned = "UNSIGNED-PAYLOAD"
    private static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    let settings: S3Settings
    let client: HTTPClient
    let address: S3Address
    private let signer: SigV4Signer
    private let clockOffset = Mutex(0)

    init(_ settings: S3Settings, clock: HostClock = .system) {
        self.settings = settings
        client = HTTPClient(url: settings.endpoint, connection: settings.connection, clock: clock)
        address = S3Address(settings)
        signer = SigV4Signer(
            accessKey: settings.accessKey, secretKey: settings.secretKey, sessionToken: settings.sessionToken,
            region: settings.region, service: "s3")
    }

    /// Sends a request for a key, or for the bucket if `key` is `nil`.
    func send(
        _ method: String, key: String?, query: [(name: String, value: String)] = [],
        headers: [HTTPHeader] = [],
        body: UploadBody? = nil, payload: String? = nil,
        sink: CurlRequest.Sink = .kept(bytesMax: 1 << 20), progress: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(UploadFailure) -> S3Response {
        let root = address.root
        let path =
            key.map { root + "/" + PercentCoding.encode($0, keeping: .path) } ?? (root.isEmpty ? "/" : root)
        let hash = payload ?? (body == nil ? Self.emptyPayload : Self.unsigned)
        let request = SigV4Signer.Request(
            method: method, host: address.host, path: path, query: query,
            headers: headers + [HTTPHeader("x-amz-content-sha256", hash)], payload: hash)
        let encoded = SigV4Signer.canonicalQuery(query)
        let url = address.base + path + (encoded.isEmpty ? "" : "?" + encoded)
        for isRepeated in [false, true] {
            let offset = clockOffset.withLock { $0 }
            let signed = signer.sign(request, now: client.clock.unixSeconds + offset)
            let response = S3Response(
                http: try await client.send(
                    method, url, headers: signed, body: body, sink: sink, progress: progress))
            guard !isRepeated, isSkewed(response), let serverSeconds = response.http.serverSeconds else {
                return response
            }
            clockOffset.withLock { $0 = serverSeconds - client.clock.unixSeconds }
        }
        throw UploadFailure(.transient, "The clock changed during a request to \(client.place).")
    }

    /// Returns whether the server rejected the time of the request. A refused HEAD has no error code, so the
    /// function compares the `Date` header with the client's clock.
    private func isSkewed(_ response: S3Response) -> Bool {
        if response.code == "RequestTimeTooSkewed" { return true }
        guard response.http.status == 403, response.http.body.isEmpty,
            let serverSeconds = response.http.serverSeconds
        else { return false }
        return abs(serverSeconds - client.clock.unixSeconds - clockOffset.withLock { $0 }) > 600
    }

    /// Returns the failure for a refused step.
    ///
    /// - Parameter name: The name in the refused request, or `nil` for the bucket.
    func refusal(_ response: S3Response, at step: UploadStep, _ name: String?) -> UploadFailure {
        response.refusal(
            place: client.place, bucket: settings.bucket, at: step,
            name: name.map { RemoteName.split($0).file })
    }
}
