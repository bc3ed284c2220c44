import Foundation
import FrameFastModel

/// A message as mail (RFC 5322), for `sendmail -t -i`.
struct MailMessage: Sendable {
    let message: NoticeMessage

    init(_ message: NoticeMessage) { self.message = message }

    /// The whole mail. Lines end with one line feed, as sendmail takes them.
    func text(_ mail: NoticeMail) -> String {
        let headers = [
            ("From", mail.from), ("To", mail.to.joined(separator: ", ")),
            ("Subject", EncodedWord.text(message.title)), ("Date", date),
            ("Message-ID", "<\(message.id)@framefast.invalid>"), ("Auto-Submitted", "auto-generated"),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "base64"),
        ]
        // Whatever a name holds, a header stays one line; and a line of the text never looks like one of the mail's own.
        return headers.map { "\($0): \(EncodedWord.plain($1))\n" }.joined() + "\n" + encodedText
    }

    private var encodedText: String {
        let text =
            message.text + "\n\n" + "FrameFast on \(message.host). On that computer: framefast status\n"
        return Data(text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
            + "\n"
    }

    private var date: String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
        return format.string(from: message.at)
    }
}
