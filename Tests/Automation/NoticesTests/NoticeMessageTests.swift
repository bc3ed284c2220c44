import Crypto
import Foundation
import FrameFastModel
import Testing

@testable import Notices

/// What leaves for each kind of notice.
@Suite struct NoticeMessageTests {
    private static let at = Date(timeIntervalSince1970: 1_795_271_130)

    private static func message(
        _ sentence: String = "The destination nas is away.", name: String = "nas",
        severity: Condition.Severity = .warning, stage: NoticeEntry.Stage = .begun, count: Int = 1
    ) -> NoticeMessage {
        let condition = Condition(
            .destinationAway, severity, since: at, subject: .destination("nas"), sentence: sentence,
            nextStep: "Check the cable.")
        let entry = NoticeEntry(
            notice: "phone", condition: condition, name: name, stage: stage,
            endedAt: stage == .ended ? at + 60 : nil)
        return NoticeMessage(
            id: "1", notice: "phone", host: "booth", at: at,
            entries: Array(repeating: entry, count: count))
    }

    @Test func `a webhook is JSON that its secret signs`() throws {
        let address = NoticeAddress(url: "https://hooks.example/x", secretFile: "/s")
        let post = try WebhookMessage(Self.message(stage: .ended)).post(to: address, secret: "key")
        let code = HMAC<SHA256>.authenticationCode(
            for: post.body, using: SymmetricKey(data: Array("key".utf8)))
        #expect(
            post.headers.first { $0.name == "X-FrameFast-Signature" }?.value == "sha256=\(Hex.text(code))")
        #expect(
            String(decoding: post.body, as: UTF8.self) == """
                {"at":"2026-11-21T14:25:30Z","conditions":[{"code":"destination-away","ended_at":"2026-11-21T14:26:30Z",\
                "event":"ended","name":"nas","next_step":"Check the cable.","sentence":"The destination nas is away.",\
                "severity":"warning","since":"2026-11-21T14:25:30Z","subject":"nas"}],"host":"booth","id":"1",\
                "notice":"phone","test":false,"text":"Over: The destination nas is away.","title":"booth: over: nas away"}
                """)
        let unsigned = try WebhookMessage(Self.message()).post(to: address, secret: nil)
        #expect(!unsigned.headers.contains { $0.name == "X-FrameFast-Signature" })
    }

    @Test(arguments: [
        (Condition.Severity.danger, NoticeEntry.Stage.begun, "urgent", "rotating_light"),
        (.warning, .begun, "high", "warning"), (.info, .begun, "low", "information_source"),
        (.danger, .ended, "default", "white_check_mark"),
    ])
    func `ntfy gets text, and how urgent it is`(
        severity: Condition.Severity, stage: NoticeEntry.Stage, priority: String, tag: String
    ) {
        let post = NtfyMessage(Self.message(severity: severity, stage: stage)).post(
            to: NoticeAddress(url: "https://ntfy.sh/topic"), token: "tk_1")
        let headers = Dictionary(uniqueKeysWithValues: post.headers.map { ($0.name, $0.value) })
        #expect(headers["Priority"] == priority && headers["Tags"] == tag)
        #expect(headers["Authorization"] == "Bearer tk_1")
        #expect(headers["Title"] == (stage == .begun ? "booth: nas away" : "booth: over: nas away"))
    }

    @Test func `a long list becomes no attachment`() {
        let post = NtfyMessage(Self.message(String(repeating: "ü", count: 500), count: 100)).post(
            to: NoticeAddress(url: "https://ntfy.sh/topic"), token: nil)
        #expect(post.body.count <= 4_096 && String(validating: post.body, as: UTF8.self) != nil)
        #expect(Self.message(count: 100).text.hasSuffix("And 88 more."))
    }

    @Test(arguments: [
        "x\nBcc: all@example.org", "x\r\n\r\nBody", "x\u{0}\u{1b}[31m", "naïve\n.\nBcc: a@b",
        "=?UTF-8?Q?=0ABcc:?=",
    ])
    func `no name adds a header or a recipient to a mail`(name: String) throws {
        let mail = NoticeMail(to: ["a@example.org", "b@example.org"], from: "f@example.org", sendmail: "/x")
        let text = MailMessage(Self.message(name, name: name)).text(mail)
        let parts = text.split(separator: "\n\n", maxSplits: 1)
        let names = parts[0].split(separator: "\n").map { $0.split(separator: ":")[0] }
        #expect(
            names == [
                "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version",
                "Content-Type", "Content-Transfer-Encoding",
            ])
        #expect(text.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
        let body = try #require(Data(base64Encoded: String(parts[1].filter { $0 != "\n" })))
        #expect(String(decoding: body, as: UTF8.self).contains("framefast status"))
    }

    @Test func `a heading in any script is encoded in words of bounded length`() throws {
        let subject = EncodedWord.text("スタジオ: カメラのカードがいっぱいです ü")
        let words = subject.split(separator: " ")
        #expect(words.count > 1 && words.allSatisfy { $0.count <= 75 })
        let text = try words.map { word -> String in
            let base64 = String(word.dropFirst("=?UTF-8?B?".count).dropLast("?=".count))
            return String(decoding: try #require(Data(base64Encoded: base64)), as: UTF8.self)
        }.joined()
        #expect(text == "スタジオ: カメラのカードがいっぱいです ü")
    }

    @Test(arguments: [
        "a@b\nBcc: c@d", "a@b, c@d", "a@b (c)", "-t@b", "a b@c", "a@", "@b", "", "a@b@c", "\"a\"@b", "<a@b>",
    ])
    func `what could be more than one mail address is none`(address: String) {
        #expect(NoticeMail.fault(address) != nil)
    }

    @Test(arguments: ["a@b", "first.last+tag@studio.example.org", "root", "o'hara@example.org"])
    func `usual mail addresses are taken`(address: String) { #expect(NoticeMail.fault(address) == nil) }

    @Test(arguments: [
        "ftp://a/b", "https://", "https://u:p@host/x", "https://host/a b", "http://host/\r\nX: y",
        "ntfy.sh/topic",
    ])
    func `what is no address on the web is refused`(url: String) { #expect(NoticeAddress.fault(url) != nil) }
}
