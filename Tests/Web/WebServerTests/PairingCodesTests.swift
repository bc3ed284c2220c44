import Foundation
import FrameFastAPI
import Testing

@testable import WebServer

@Suite struct PairingCodesTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)
    private let client = PairingCodes.Offer(role: .client, session: SessionID(rawValue: 1), uses: 1)

    private func refusal(_ codes: inout PairingCodes, _ code: String, _ address: String, _ seconds: Double)
        -> PairingCodes.Refusal?
    {
        do throws(PairingCodes.Refusal) {
            _ = try codes.use(code, from: address, now: start.addingTimeInterval(seconds))
            return nil
        } catch { return error }
    }

    @Test func `a code is good for ten minutes and for as many as were asked for`() {
        var codes = PairingCodes()
        var random = SystemRandomNumberGenerator()
        var offer = client
        offer.uses = 2
        let (code, until) = codes.open(offer, now: start, random: &random)
        #expect(code.count == 9 && until == start.addingTimeInterval(600))
        #expect(refusal(&codes, code, "a", 599) == nil)
        #expect(refusal(&codes, code.lowercased(), "a", 599) == nil)
        #expect(refusal(&codes, code, "a", 599) == .unknown)
        let (late, _) = codes.open(client, now: start, random: &random)
        #expect(refusal(&codes, late, "b", 600) == .unknown)
    }

    @Test func `after five wrong ones an address waits, others do not`() {
        var codes = PairingCodes()
        var random = SystemRandomNumberGenerator()
        let (code, _) = codes.open(client, now: start, random: &random)
        for _ in 0..<5 { #expect(refusal(&codes, "00000000", "a", 1) == .unknown) }
        #expect(refusal(&codes, code, "a", 31) == .tooOften(seconds: 30))
        #expect(refusal(&codes, code, "b", 31) == nil)
        let (next, _) = codes.open(client, now: start, random: &random)
        #expect(refusal(&codes, next, "a", 62) == nil)
    }

    @Test func `after thirty wrong ones from wherever every code is void`() {
        var codes = PairingCodes()
        var random = SystemRandomNumberGenerator()
        let (code, _) = codes.open(client, now: start, random: &random)
        for number in 0..<29 { #expect(refusal(&codes, "00000000", "a\(number)", 1) == .unknown) }
        // The one that does it is told apart: the studio reads of it in the log.
        #expect(refusal(&codes, "00000000", "a29", 1) == .lastOfAll)
        #expect(refusal(&codes, code, "z", 2) == .unknown)
    }

    @Test(arguments: [("k7qm4r2p", "K7QM4R2P"), ("K7QM-4R2P", "K7QM4R2P"), ("oil-1", "0111"), ("é𝟙 ", "")])
    func `people's ways of typing are one`(text: String, plain: String) {
        #expect(PairingCodes.plain(text) == plain)
    }
}

@Suite struct WebHostsTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false),
        ("192.168.7.9", true), ("192.169.0.1", false), ("169.254.3.4", true), ("8.8.8.8", false),
        ("::1", true),
        ("fe80::1", true), ("fd00::1", true), ("2001:db8::1", false), ("", false), ("10.1.2", false),
        ("10.1.2.999", false),
    ])
    func `private addresses are those that nobody outside reaches`(address: String, isPrivate: Bool) {
        #expect(WebHosts.isPrivate(address) == isPrivate)
    }

    @Test(
        arguments: [
            ("host", "host"), ("host:80", "host"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("", nil),
            (":80", nil),
            ("a:b:c", nil), ("[::1", nil), ("[::1]x", nil),
        ] as [(String, String?)])
    func `a host is what stands before the port`(authority: String, host: String?) {
        #expect(WebHosts.host(of: authority) == host)
    }
}
