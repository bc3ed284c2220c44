import Crypto
import Foundation
import FrameFastModel
import TextForms

/// A signer that adds an AWS Signature Version 4 to the headers of a request ("Signature Version 4 signing
/// process"). The signer sorts the query, signs all headers that are sent, and does not encode the path a
/// second time.
struct SigV4Signer: Sendable {
    let accessKey: String
    let secretKey: Secret
    let sessionToken: Secret?
    let region: String
    let service: String

    /// The parts of a request that are signed.
    struct Request: Sendable {
        var method: String
        /// The host, with its port unless it is the scheme's default.
        var host: String
        /// The percent-encoded path.
        var path: String
        /// The names and values of the query, not percent-encoded.
        var query: [(name: String, value: String)] = []
        /// The headers to sign, in addition to host, date and token.
        var headers: [HTTPHeader] = []
        /// The SHA-256 of the body in hexadecimal, or `UNSIGNED-PAYLOAD`.
        var payload: String
    }

    /// Returns the encoded, sorted query.
    static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
        query.map { (PercentCoding.encode($0.name), PercentCoding.encode($0.value)) }
            .sorted { $0 < $1 }
            .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Returns the headers to send: the headers of the request and of the signature. The result excludes
    /// `Host`, because libcurl sends this header.
    ///
    /// - Parameter now: The server's time, in seconds since 1970.
    func sign(_ request: Request, now: Int) -> [HTTPHeader] {
        let stamp = Self.stamp(now)
        let scope = "\(stamp.prefix(8))/\(region)/\(service)/aws4_request"
        var sent = request.headers + [HTTPHeader("x-amz-date", stamp)]
        if let sessionToken { sent.append(HTTPHeader("x-amz-security-token", sessionToken.text)) }
        let signed = (sent + [HTTPHeader("host", request.host)])
            .map { HTTPHeader($0.name.lowercased(), Self.trimmed($0.value)) }.sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let canonical = [
            request.method, request.path, Self.canonicalQuery(request.query),
            signed.map { "\($0.name):\($0.value)\n" }.joined(), names, request.payload,
        ].joined(separator: "\n")
        let text = ["AWS4-HMAC-SHA256", stamp, scope, Hex.text(SHA256.hash(data: Data(canonical.utf8)))]
            .joined(separator: "\n")
        let signature = Hex.text(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key(stamp)))
        sent.append(
            HTTPHeader(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            ))
        return sent
    }

    private func key(_ stamp: String) -> SymmetricKey {
        let steps = [String(stamp.prefix(8)), region, service, "aws4_request"]
        return steps.reduce(SymmetricKey(data: Data(("AWS4" + secretKey.text).utf8))) { key, step in
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(step.utf8), using: key))
        }
    }

    /// Returns a value without spaces at its ends, in which one space replaces each run of spaces.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    /// Returns a time in the form `YYYYMMDDThhmmssZ`.
    private static func stamp(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
    }
}
