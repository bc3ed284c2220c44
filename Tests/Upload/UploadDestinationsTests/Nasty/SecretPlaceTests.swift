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
}
