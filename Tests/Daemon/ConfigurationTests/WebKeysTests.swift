import Foundation
import SettingKeys
import TestRig
import Testing

@testable import FrameFastConfiguration

/// Tests of the keys of the web page.
@Suite struct WebKeysTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func configuration(_ text: String) throws -> Configuration {
        let file = scratch.path("framefast.toml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try Configuration.load(flags: .init(configFile: file), environment: [:], isRoot: true)
    }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try configuration(text)
            return []
        } catch let errors as ConfigurationErrors {
            return errors.errors.map { ($0.line.map { "\($0): " } ?? "") + $0.message }
        } catch { return ["\(error)"] }
    }

    @Test func `by default, the page is off and TLS is on`() throws {
        let web = try configuration("").web
        #expect(web.listen == .off && web.tls == .on && web.names.isEmpty)
        #expect(web.certificateFile == nil && web.keyFile == nil)
        #expect(!web.allowsControl && !web.givesOriginals && !web.allowsPublic)
    }

    @Test func `reads every key of the page`() throws {
        let web = try configuration(
            """
            [web]
            listen = "lan:8443"
            names = ["studio.example", "fotos"]
            cert_file = "/c"
            key_file = "/k"
            control = true
            originals = true
            allow_public = true
            """
        ).web
        #expect(web.listen == .lan(port: 8443) && web.names == ["studio.example", "fotos"])
        #expect(web.certificateFile == "/c" && web.keyFile == "/k" && web.tls == .on)
        #expect(web.allowsControl && web.givesOriginals && web.allowsPublic)
        #expect(try configuration("[web]\nlisten = \"lan\"\ntls = \"off\"").web.tls == .off)
    }

    @Test(
        arguments: [
            ("", ""), ("off", ""), ("lan", "lan:9480"), ("lan:1", "lan:1"), ("lan:65535", "lan:65535"),
            ("127.0.0.1:9480", "127.0.0.1:9480"), ("[::1]:9480", "[::1]:9480"),
            ("0.0.0.0:9480", nil), ("192.168.1.20:9480", nil), ("localhost:9480", nil), ("127.0.0.1", nil),
            ("127.0.0.1:+9480", nil),
            ("lan:0", nil), ("lan:65536", nil), ("lan:", nil), ("lan:+1", nil), ("LAN", nil), ("9480", nil),
        ] as [(String, String?)])
    func `accepts only off, an address of this computer, and the local network`(
        text: String, address: String?
    ) {
        #expect(WebListenAddress(text)?.text == address)
    }

    @Test func `the error for a refused listen address names the accepted values`() {
        #expect(
            errors("[web]\nlisten = \"0.0.0.0:9480\"") == [
                "2: 'web.listen' cannot be \"0.0.0.0:9480\": expected \"\" for off, an address and port of this "
                    + "computer only, such as \"127.0.0.1:9480\", or \"lan\" or \"lan:PORT\" for the local network"
            ])
    }

    @Test(arguments: [
        (
            "[web]\ncert_file = \"/c\"",
            "2: 'web.cert_file' needs 'web.key_file'. Set both. Without both, FrameFast makes its own certificate"
        ),
        (
            "[web]\nkey_file = \"/k\"",
            "2: 'web.key_file' needs 'web.cert_file'. Set both. Without both, FrameFast makes its own certificate"
        ),
        (
            "[web]\ntls = \"off\"\ncert_file = \"/c\"\nkey_file = \"/k\"",
            "3: 'web.cert_file' has no effect with web.tls = \"off\". Set tls = \"on\", or remove the certificate"
        ),
        (
            "[web]\nnames = [\"https://studio.example\"]",
            "2: 'web.names': 'https://studio.example' is not a host name: omit https:// and the port, as in studio.example"
        ),
    ])
    func `reports an invalid or contradictory key with the next step`(text: String, expected: String) {
        #expect(errors(text) == [expected])
    }

    @Test(arguments: [
        "studio.example:9480", "a b", "-a", ".a", "ä.example", String(repeating: "a", count: 254),
    ])
    func `refuses a name that is not a host name`(name: String) {
        #expect(errors("[web]\nnames = [\"\(name)\"]").count == 1)
    }
}
