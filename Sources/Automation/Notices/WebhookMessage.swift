import Crypto
import Foundation
import FrameFastModel

/// A message as JSON, signed.
struct WebhookMessage: Encodable {
    private let id: String
    private let notice: NoticeName
    private let host: FleetHostName
    private let at: Date
    private let test: Bool
    private let title: String
    private let text: String
    private let conditions: [Told]

    /// One condition: its facts under their names, in lower case, and what became of it.
    private struct Told: Encodable {
        var entry: NoticeEntry

        func encode(to encoder: any Encoder) throws {
            var facts = Facts(entry.condition).byName.map { ($0.key.lowercased(), $0.value) }
            facts += [
                ("event", entry.stage == .begun ? "begun" : "ended"),
                ("since", entry.condition.since.formatted(.iso8601)),
            ]
            if let name = entry.name { facts.append(("name", name)) }
            if let ended = entry.endedAt { facts.append(("ended_at", ended.formatted(.iso8601))) }
            try Dictionary(uniqueKeysWithValues: facts).encode(to: encoder)
        }
    }

    init(_ message: NoticeMessage) {
        (id, notice, host, at) = (message.id, message.notice, message.host, message.at)
        (test, title, text) = (message.isTest, message.title, message.text)
        conditions = message.entries.map(Told.init)
    }

    /// - Parameter secret: By which the other side knows that it is from here; `nil` signs nothing.
    func post(to address: NoticeAddress, secret: String?) throws -> NoticePost {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = Array(try encoder.encode(self))
        var headers = [(name: "Content-Type", value: "application/json")]
        if let secret {
            let code = HMAC<SHA256>.authenticationCode(
                for: body, using: SymmetricKey(data: Array(secret.utf8)))
            headers.append((name: "X-FrameFast-Signature", value: "sha256=\(Hex.text(code))"))
        }
        return NoticePost(url: address.url, headers: headers, body: body, caFile: address.caFile)
    }
}
