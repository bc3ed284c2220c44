import FrameFastModel

/// A message as ntfy takes it (ntfy.sh, "Publishing"): text, and headers beside it.
struct NtfyMessage: Sendable {
    /// Longest text, in bytes: beyond 4,096 ntfy makes a file of it.
    static let textBytesMax = 4_000

    let message: NoticeMessage

    init(_ message: NoticeMessage) { self.message = message }

    /// - Parameter token: Of ntfy's user; `nil` for a topic that everybody may write to.
    func post(to address: NoticeAddress, token: String?) -> NoticePost {
        var headers = [
            (name: "Content-Type", value: "text/plain; charset=utf-8"),
            (name: "Title", value: EncodedWord.text(message.title)),
            (name: "Priority", value: priority),
            (name: "Tags", value: tag),
        ]
        if let token { headers.append((name: "Authorization", value: "Bearer \(EncodedWord.plain(token))")) }
        var text = message.text
        while text.utf8.count > Self.textBytesMax { text.removeLast() }
        return NoticePost(url: address.url, headers: headers, body: Array(text.utf8), caFile: address.caFile)
    }

    private var priority: String {
        switch message.severity {
        case .danger: "urgent"
        case .warning: "high"
        case .info: "low"
        case nil: "default"
        }
    }

    /// A word that telephones show as a picture.
    private var tag: String {
        switch message.severity {
        case .danger: "rotating_light"
        case .warning: "warning"
        case .info: "information_source"
        case nil: message.isTest ? "camera" : "white_check_mark"
        }
    }
}
