import Identities
import Testing
import Vocabulary
import WebPairing

/// Tests of the open pairing codes and of the limits on wrong codes.
@Suite struct PairingCodesTests {
    private static let code = PairingCode(randomBits: 0x12_3456_789A)
    private static let client = PairingGrant(role: .client, session: 7)

    /// Pairing codes that a test can change inside an expectation.
    private final class MutableCodes {
        private var codes = PairingCodes()

        /// Creates an empty list of codes, or a list with one code that was opened at time 0.
        init(uses: Int? = nil) {
            if let uses { _ = add(PairingCodesTests.code, for: PairingCodesTests.client, uses: uses, at: 0) }
        }

        func add(_ code: PairingCode, for grant: PairingGrant, uses: Int = 1, at uptime: Double) -> Bool {
            codes.add(code, for: grant, uses: uses, at: uptime)
        }

        func redeem(_ text: String, from address: String, at uptime: Double) -> PairingOutcome {
            codes.redeem(text, from: address, at: uptime)
        }

        func removeCodes(of session: SessionID) { codes.removeCodes(of: session) }

        func openCount(at uptime: Double) -> Int { codes.openCount(at: uptime) }
    }

    @Test func `a code pairs one device and is then refused`() {
        let codes = MutableCodes(uses: 1)
        #expect(codes.redeem(Self.code.text, from: "a", at: 1) == .accepted(Self.client))
        #expect(codes.redeem(Self.code.text, from: "b", at: 2) == .refused)
        #expect(codes.openCount(at: 2) == 0)
    }

    @Test func `a code with three uses pairs three devices`() {
        let codes = MutableCodes(uses: 3)
        let results = (0..<4).map { codes.redeem(Self.code.text, from: "a", at: Double($0)) }
        #expect(results == Array(repeating: PairingOutcome.accepted(Self.client), count: 3) + [.refused])
    }

    @Test(arguments: [(599.9, true), (600, false), (5_000, false)])
    func `a code expires after 10 minutes`(time: Double, isValid: Bool) {
        let codes = MutableCodes(uses: 1)
        #expect(
            codes.redeem(Self.code.text, from: "a", at: time)
                == (isValid ? .accepted(Self.client) : .refused))
    }

    @Test func `the codes of a stopped session are void, other codes stay valid`() {
        let codes = MutableCodes(uses: 5)
        let other = PairingCode(randomBits: 1)
        #expect(codes.add(other, for: PairingGrant(role: .owner), at: 0))
        codes.removeCodes(of: 8)
        #expect(codes.openCount(at: 1) == 2)
        codes.removeCodes(of: 7)
        #expect(codes.redeem(Self.code.text, from: "a", at: 1) == .refused)
        #expect(codes.redeem(other.text, from: "a", at: 1) == .accepted(PairingGrant(role: .owner)))
    }

    @Test func `refuses the right code after five wrong codes in a minute`() {
        let codes = MutableCodes(uses: 1)
        for time in 0..<5 {
            #expect(codes.redeem("0000-000\(time)", from: "a", at: Double(time)) == .refused)
        }
        #expect(codes.redeem(Self.code.text, from: "a", at: 10) == .limited(seconds: 50))
        #expect(codes.redeem(Self.code.text, from: "a", at: 59.5) == .limited(seconds: 0.5))
        #expect(codes.redeem(Self.code.text, from: "a", at: 60) == .accepted(Self.client))
    }

    @Test func `limits wrong codes from an address even without an open code`() {
        let codes = MutableCodes()
        for _ in 0..<5 { #expect(codes.redeem("x", from: "a", at: 0) == .refused) }
        #expect(codes.redeem("x", from: "a", at: 0) == .limited(seconds: 60))
        #expect(codes.redeem("x", from: "b", at: 0) == .refused)
    }

    @Test func `30 wrong codes from any addresses void all open codes`() {
        let codes = MutableCodes(uses: 1)
        let results = (0..<30).map { codes.redeem("0000-0000", from: "\($0 / 5)", at: 1) }
        #expect(results == Array(repeating: PairingOutcome.refused, count: 29) + [.voided])
        #expect(codes.openCount(at: 1) == 0)
        #expect(codes.redeem(Self.code.text, from: "new", at: 2) == .refused)
        // A new code starts with a count of 0 wrong codes.
        #expect(codes.add(Self.code, for: Self.client, at: 3))
        #expect(codes.redeem("0000-0000", from: "new", at: 4) == .refused)
        #expect(codes.redeem(Self.code.text, from: "new", at: 5) == .accepted(Self.client))
    }

    @Test func `earlier wrong codes do not count after all open codes expired`() {
        let codes = MutableCodes(uses: 1)
        for index in 0..<29 { _ = codes.redeem("x", from: "\(index)", at: 599) }
        #expect(codes.add(Self.code, for: Self.client, at: 700))
        #expect(codes.redeem("x", from: "a", at: 701) == .refused)
        #expect(codes.openCount(at: 702) == 1)
    }

    @Test func `refuses a 33rd open code until one expires`() {
        let codes = MutableCodes()
        for number in 0..<PairingCodes.codesMax {
            #expect(codes.add(PairingCode(randomBits: UInt64(number)), for: Self.client, at: Double(number)))
        }
        #expect(!codes.add(Self.code, for: Self.client, at: 40))
        #expect(codes.add(Self.code, for: Self.client, at: 600))
    }

    @Test func `limits new addresses while 256 addresses have sent wrong codes`() {
        let codes = MutableCodes()
        for index in 0..<256 { #expect(codes.redeem("x", from: "\(index)", at: 0) == .refused) }
        #expect(codes.redeem("x", from: "another", at: 1) == .limited(seconds: 60))
        #expect(codes.redeem("x", from: "another", at: 61) == .refused)
    }
}
