import FrameFastModel
import SettingKeys
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Secrets in places of their own, and words of templates.
@Suite struct SecretPlaceTests {
    @Test(
        arguments: [
            ("basic", .basic), ("digest", .digest), ("bearer", .bearer),
            ("header:x-api-key", .header("x-api-key")),
            ("field:key", .field("key")), ("header:", nil), ("header:x key", nil), ("field:", nil),
            ("basic:x", nil),
            ("token", nil), ("", nil),
        ] as [(String, CredentialKeys.Way?)])
    func `reads where a secret goes`(text: String, way: CredentialKeys.Way?) {
        #expect(CredentialKeys.Way(text) == way)
        if let way { #expect(way.word == text) }
    }

    @Test(
        arguments: [
            ("https://host/{file}", true), ("https://host/{SESSION}/{CAPTURED_AT}/{name}", true),
            ("https://host/{SESION}/{file}", false), ("https://host/{LENS}/{file}", false),
            ("https://host/{Camera}/{file}", false), ("https://host/{}/{file}", false),
            ("https://host/{file", false),
        ])
    func `an unknown word in a template is a fault`(url: String, isSound: Bool) {
        let faults = HTTPDestination(HTTPSettings(url: url)).faults
        #expect(faults.isEmpty == isSound, "\(faults)")
        let header = HTTPSettings(url: "https://host/{file}", headers: [HTTPHeader("X", url)])
        #expect(HTTPDestination(header).faults.isEmpty == isSound)
    }

    @Test(
        arguments: [
            ("Invalid API key: apikey=abc123&x=1", "Invalid API key: apikey=…&x=1"),
            ("Authorization: Bearer abc.def", "Authorization: …"),
            ("token expired", "token expired"), ("password='hunter2'", "password='…'"),
            ("The name .part is refused", "The name .part is refused"),
            ("id 0123456789abcdef0123456789abcdef0123456789abcdef", "id …"),
        ])
    func `words of a server are cleaned of secrets`(words: String, shown: String) {
        #expect(!ServerWords.withoutSecrets(words).contains("abc123"))
        #expect(!ServerWords.withoutSecrets(words).contains("hunter2"))
        if !words.hasPrefix("Authorization") { #expect(ServerWords.withoutSecrets(words) == shown) }
        #expect(!ServerWords.withoutSecrets(words).contains("abc.def"))
    }

    /// Every kind of step and answer of HTTP, FTP and SFTP has a sentence with the step, the name, the words of the server, and advice.
    @Test(arguments: UploadStep.allCases.filter { $0 != .connect })
    func `a refusal names its step, the name and the server's words`(step: UploadStep) {
        var answers = [(UploadFailure, String)]()
        for status in [400, 403, 405, 409, 422, 500, 501, 502] {
            var answer = CurlAnswer(status: status)
            answer.body = Array("<d:error><s:message>Rule 17</s:message></d:error>".utf8)
            answers.append(
                (answer.refusal(place: "https://host", at: step, name: "a.part"), "HTTP \(status)"))
        }
        for reply in [550, 553, 500, 502] {
            answers.append(
                (
                    TransportFailure.ftp(
                        reply, place: "ftp://host", words: "Rule 17", denied: false, step, "a.part"),
                    "FTP \(reply)"
                ))
        }
        for status: SFTPStatus in [.permissionDenied, .failure, .unsupported] {
            answers.append(
                (
                    SFTPTrouble.failure(status: status, text: "Rule 17", path: "a.part", at: step),
                    "SFTP \(status.rawValue)"
                ))
        }
        for (failure, what) in answers {
            #expect(failure.step == step, "\(what)")
            #expect(failure.sentence.contains(step.act("a.part")), "\(what): \(failure.sentence)")
            #expect(failure.sentence.contains("Rule 17"), "\(what): \(failure.sentence)")
            #expect(failure.failedAttempt.nextStep != nil, "\(what)")
        }
    }
}
