import Testing
import WebPairing

/// Tests of codes and tokens.
@Suite struct PairingSecretTests {
    @Test(
        arguments: [
            (0, "0000-0000"), (1, "1000-0000"), (0x1F, "Z000-0000"), (1 << 35, "0000-0001"),
            (UInt64.max, "ZZZZ-ZZZZ"), (0b10010_00111, "7J00-0000"),
        ] as [(UInt64, String)])
    func `a code shows the low 40 bits in Crockford's base 32`(bits: UInt64, text: String) {
        #expect(PairingCode(randomBits: bits).text == text)
    }

    @Test(arguments: ["K7QM-4R2P", "k7qm4r2p", " K7QM 4R2P ", "K7-QM-4R-2P"])
    func `reads a code in any case and with any hyphens`(text: String) {
        #expect(PairingCode(text)?.text == "K7QM-4R2P")
    }

    @Test func `reads letters that look like digits as digits`() {
        #expect(PairingCode("oOiI-lL10") == PairingCode("0011-1110"))
    }

    @Test(arguments: [
        "", "K7QM-4R2", "K7QM-4R2PX", "K7QM-4R2U", "K7QM_4R2P", "K7QM-4R2é", "K7QM-4R2٣",
        String(repeating: "-", count: 100) + "K7QM4R2P",
    ])
    func `refuses text that is not a code`(text: String) {
        #expect(PairingCode(text) == nil)
    }

    @Test func `a token has 256 bits, and SHA-256 hashes its digits`() throws {
        var bits: UInt64 = 0
        let token = DeviceToken {
            bits += 1
            return bits
        }
        #expect(token.text == "0000000000000001000000000000000200000000000000030000000000000004")
        #expect(DeviceToken(token.text) == token)
        #expect(
            token.digest.hex == "9bb8cf65788c12f73ed86385ad621ddbd48cc118b82863dae84e758797f8caa3")
        #expect(SecretDigest(hex: token.digest.hex) == token.digest)
    }

    @Test(arguments: [
        "", "1", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
        String(repeating: "0", count: 65), String(repeating: "٣", count: 32),
    ])
    func `refuses a cookie that is not a token`(text: String) {
        #expect(DeviceToken(text) == nil)
    }
}
