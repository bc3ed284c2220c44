import Identities
import Testing
import Vocabulary
import WebPairing

/// Tests of the open pairing codes and of the limits on wrong codes.
@Suite struct PairingBookTests {
    private static let code = PairingCode(randomBits: 0x12_3456_789A)
    private static let client = PairingGrant(role: .client, session: 7)

    /// A book that a test can change inside an expectation.
    private final class Book {
        private var book = PairingBook()

        /// Creates a book without codes, or with one code that was opened at time 0.
        init(uses: Int? = nil) {
            if let uses { _ = add(PairingBookTests.code, for: PairingBookTests.client, uses: uses, at: 0) }
        }

        func add(_ code: PairingCode, for grant: PairingGrant, uses: Int = 1, at uptime: Double) -> Bool {
            book.add(code, for: grant, uses: uses, at: uptime)
        }

        func redeem(_ text: String, from address: String, at uptime: Double) -> PairingOutcome {
            book.redeem(text, from: address, at: uptime)
        }

        func removeCodes(of session: SessionID) { book.removeCodes(of: session) }

        func openCount(at uptime: Double) -> Int { book.openCount(at: uptime) }
    }

    @Test func `a code pairs one device and is then refused`() {
        let book = Book(uses: 1)
        #expect(book.redeem(Self.code.text, from: "a", at: 1) == .accepted(Self.client))
        #expect(book.redeem(Self.code.text, from: "b", at: 2) == .refused)
        #expect(book.openCount(at: 2) == 0)
    }

    @Test func `a code with three uses pairs three devices`() {
        let book = Book(uses: 3)
        let results = (0..<4).map { book.redeem(Self.code.text, from: "a", at: Double($0)) }
        #expect(results == Array(repeating: PairingOutcome.accepted(Self.client), count: 3) + [.refused])
    }

    @Test(arguments: [(599.9, true), (600, false), (5_000, false)])
    func `a code expires after 10 minutes`(time: Double, isValid: Bool) {
        let book = Book(uses: 1)
        #expect(
            book.redeem(Self.code.text, from: "a", at: time)
                == (isValid ? .accepted(Self.client) : .refused))
    }

    @Test func `the codes of a stopped session are void, other codes stay valid`() {
        let book = Book(uses: 5)
        let other = PairingCode(randomBits: 1)
        #expect(book.add(other, for: PairingGrant(role: .owner), at: 0))
        book.removeCodes(of: 8)
        #expect(book.openCount(at: 1) == 2)
        book.removeCodes(of: 7)
        #expect(book.redeem(Self.code.text, from: "a", at: 1) == .refused)
        #expect(book.redeem(other.text, from: "a", at: 1) == .accepted(PairingGrant(role: .owner)))
    }

    @Test func `refuses the right code after five wrong codes in a minute`() {
        let book = Book(uses: 1)
        for time in 0..<5 { #expect(book.redeem("0000-000\(time)", from: "a", at: Double(time)) == .refused) }
        #expect(book.redeem(Self.code.text, from: "a", at: 10) == .limited(seconds: 50))
        #expect(book.redeem(Self.code.text, from: "a", at: 59.5) == .limited(seconds: 0.5))
        #expect(book.redeem(Self.code.text, from: "a", at: 60) == .accepted(Self.client))
    }

    @Test func `limits wrong codes from an address even without an open code`() {
        let book = Book()
        for _ in 0..<5 { #expect(book.redeem("x", from: "a", at: 0) == .refused) }
        #expect(book.redeem("x", from: "a", at: 0) == .limited(seconds: 60))
        #expect(book.redeem("x", from: "b", at: 0) == .refused)
    }

    @Test func `30 wrong codes from any addresses void all open codes`() {
        let book = Book(uses: 1)
        let results = (0..<30).map { book.redeem("0000-0000", from: "\($0 / 5)", at: 1) }
        #expect(results == Array(repeating: PairingOutcome.refused, count: 29) + [.voided])
        #expect(book.openCount(at: 1) == 0)
        #expect(book.redeem(Self.code.text, from: "new", at: 2) == .refused)
        // A new code starts with a count of 0 wrong codes.
        #expect(book.add(Self.code, for: Self.client, at: 3))
        #expect(book.redeem("0000-0000", from: "new", at: 4) == .refused)
        #expect(book.redeem(Self.code.text, from: "new", at: 5) == .accepted(Self.client))
    }

    @Test func `earlier wrong codes do not count after all open codes expired`() {
        let book = Book(uses: 1)
        for index in 0..<29 { _ = book.redeem("x", from: "\(index)", at: 599) }
        #expect(book.add(Self.code, for: Self.client, at: 700))
        #expect(book.redeem("x", from: "a", at: 701) == .refused)
        #expect(book.openCount(at: 702) == 1)
    }

    @Test func `refuses a 33rd open code until one expires`() {
        let book = Book()
        for number in 0..<PairingBook.codesMax {
            #expect(book.add(PairingCode(randomBits: UInt64(number)), for: Self.client, at: Double(number)))
        }
        #expect(!book.add(Self.code, for: Self.client, at: 40))
        #expect(book.add(Self.code, for: Self.client, at: 600))
    }

    @Test func `limits new addresses while 256 addresses have sent wrong codes`() {
        let book = Book()
        for index in 0..<256 { #expect(book.redeem("x", from: "\(index)", at: 0) == .refused) }
        #expect(book.redeem("x", from: "another", at: 1) == .limited(seconds: 60))
        #expect(book.redeem("x", from: "another", at: 61) == .refused)
    }
}
