import ChildProcesses
import FrameFastModel
import SettingKeys
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of secrets in URLs, headers and forms, and of placeholders in templates.
@Suite struct SecretLocationTests {
    @Test(
        arguments: [
            ("basic", .basic), ("digest", .digest), ("bearer", .bearer),
            ("header:x-api-key", .header("x-api-key")),
            ("field:key", .field("key")), ("header:", nil), ("header:x key", nil), ("field:", nil),
            ("basic:x", nil),
            ("token", nil), ("", nil),
        ] as [(String, CredentialKeys.SecretLocation?)])
    func `parses the auth setting of a destination`(text: String, location: CredentialKeys.SecretLocation?) {
        #expect(CredentialKeys.SecretLocation(text) == location)
        if let location { #expect(location.word == text) }
    }

    @Test(
        arguments: [
            ("https://host/{file}", true), ("https://host/{SESSION}/{CAPTURED_AT}/{name}", true),
            ("https://host/{SESION}/{file}", false), ("https://host/{LENS}/{file}", false),
            ("https://host/{Camera}/{file}", false), ("https://host/{}/{file}", false),
            ("https://host/{file", false),
        ])
    func `reports an unknown placeholder in a URL template`(url: String, isSound: Bool) {
        let faults = HTTPDestination(HTTPSettings(url: url)).faults
        #expect(faults.isEmpty == isSound, "\(faults)")
        let header = HTTPSettings(url: "https://host/{file}", headers: [HTTPHeader("X", url)])
        #expect(HTTPDestination(header).faults.isEmpty == isSound)
        var form = HTTPSettings(url: "https://host/form")
        form.method = .form(file: "photo", fields: [HTTPHeader("event", url)])
        #expect(HTTPDestination(form).faults.isEmpty == isSound)
        var presigned = HTTPSettings(url: "https://host/ask")
        presigned.method = .presigned(PresignSettings(statusURL: url + "/{id}"))
        #expect(HTTPDestination(presigned).faults.isEmpty == isSound)
    }

    /// In the arguments of a user's program, braces may have another meaning.
    @Test(
        arguments: [
            ("{file}", nil), ("--of={CAMERA}", nil), ("{Session}-{captured_at}", nil), ("{", nil),
            ("{}", nil),
            ("{\"event\": 1}", nil), ("{ print $1 }", nil), ("{print $1}", nil), ("echo ${HOME}", nil),
            ("{SESION}", "{SESION}"), ("{file}-{lens}", "{lens}"), ("a{unknown}b", "{unknown}"),
        ] as [(String, String?)])
    func `reports an unknown placeholder in a command argument`(argument: String, word: String?) {
        let settings = CommandSettings(program: "/bin/true", arguments: ["-v", argument])
        let destination = CommandDestination(
            name: "print", settings: settings, logger: CommandDestinationTests.logger)
        #expect(destination.faults.count == (word == nil ? 0 : 1), "\(destination.faults)")
        if let word { #expect(destination.faults.first?.contains("placeholder \(word).") == true) }
    }

    @Test(
        arguments: [
            ("https://me:abc@host/{name}", "me:abc"), ("https://me:a/bc@host:8443/x", "me:a/bc"),
            ("https://me:a?b@c#d@host", "me:a?b@c#d"), ("ftp://me:a/b@host", "me:a/b"), ("me@host", "me"),
            ("https://me:p@ss/word@host", "me:p@ss/word"), ("https://me:/abc@host", "me:/abc"),
            ("https://me:#b@host", "me:#b"), ("https://me:?b@host", "me:?b"),
            ("https://me:65536/x@host", "me:65536/x"), ("https://me@host/a@b", "me"),
            ("https://host:65535/a@b", nil),
            ("https://host/a@b", nil), ("https://host:8080/a@b", nil), ("https://[::1]:80/a@b", nil),
            ("proxy:3128", nil), ("https://host/in?mail=a@b", nil), ("", nil),
        ] as [(String, String?)])
    func `finds the user and password in an address`(url: String, user: String?) {
        #expect(ClearTextSecrets.userInfo(inAddress: url).map(String.init) == user)
        let shown = ClearTextSecrets.withoutUser(url)
        if let user { #expect(!shown.contains(user)) } else { #expect(shown == url) }
    }

    @Test func `reports a password in an address without showing it`() {
        let secret = "me:a/bc"
        let faults =
            HTTPDestination(HTTPSettings(url: "https://\(secret)@host/{name}")).faults
            + WebDAVDestination(WebDAVSettings(url: "https://\(secret)@host")).faults
            + FTPDestination(
                FTPSettings(host: "ftp://\(secret)@host", user: "me", password: Secret("x"))
            ).faults
        #expect(faults.count == 3 && faults.allSatisfy { $0.contains("'password_file'") }, "\(faults)")
        let ssh = SFTPDestination(SFTPSettings(name: "nas", host: "sftp://\(secret)@host", folder: "in"))
            .faults
        #expect(ssh.contains { $0.contains("set 'user'") }, "\(ssh)")
        #expect((faults + ssh).allSatisfy { !$0.contains("a/bc") }, "\(faults + ssh)")
        #expect(HTTPClient.place(of: "https://\(secret)@host:8443/x") == "https://host:8443")
        #expect(HTTPClient.place(of: "https://me:p@ss/word@host/x") == "https://host")
    }

    @Test func `deletes no leftovers at an FTP host that contains a password`() async throws {
        let settings = FTPSettings(host: "me:a/b@host", user: "me", password: Secret("x"))
        #expect(FTPClient(settings).place == "ftp://host")
        let item = UploadItem(
            jobID: 1, localPath: "", bytes: 1, sha256: String(repeating: "0", count: 64), station: "s",
            remoteName: "a.jpg")
        try await FTPDestination(settings).discardLeftovers(of: item)
    }

    @Test(
        arguments: [
            ("Invalid API key: apikey=abc123&x=1", "Invalid API key: apikey=…&x=1"),
            ("Authorization: Bearer abc.def", "Authorization: … …"),
            ("token expired", "token expired"), ("password='hunter2'", "password='…'"),
            ("The name .part is refused", "The name .part is refused"),
            ("id 0123456789abcdef0123456789abcdef0123456789abcdef", "id …"),
        ])
    func `removes secrets from messages of a server`(words: String, shown: String) {
        #expect(ServerWords.withoutSecrets(words) == shown)
    }
}
