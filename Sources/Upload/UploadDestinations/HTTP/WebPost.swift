import Foundation
public import UploadEngine

/// A POST that is no upload: it tells somebody something. On a thread of its own, so that no photo waits for it.
public enum WebPost {
    private static let transport = CurlTransport(label: "framefast.notice")
    /// Longest time for name look-up, connection and TLS, and for the server to think, in seconds.
    private static let connectSeconds = 8
    private static let stallSeconds = 15
    /// Most bytes of an answer: it is only looked at by its status and its beginning.
    private static let answerBytesMax = 64 * 1_024

    /// Makes it. Every status is an answer; redirections are not followed.
    ///
    /// - Parameter caFile: PEM file of the authorities that may vouch for the server; `nil` for the system's.
    /// - Throws: Why there was no answer, or ``UploadFailure/stopped`` when the task was cancelled.
    public static func send(
        to url: String, headers: [HTTPHeader], body: [UInt8], caFile: String?
    ) async throws(UploadFailure) -> (status: Int, text: String) {
        let talk = HTTPTalk(
            url: url,
            connection: ConnectionSettings(
                caFile: caFile, connectSeconds: connectSeconds, stallSeconds: stallSeconds),
            transport: transport)
        let answer = try await talk.send(
            "POST", url, headers: headers, body: UploadBody([.bytes(body)]),
            sink: .kept(mostBytes: answerBytesMax))
        return (answer.status, answer.text)
    }
}
