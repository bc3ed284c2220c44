import Testing

@testable import FrameFastDaemon

@Suite struct SecretTextTests {
    @Test(
        arguments: [
            "s3cret", "s3cret\n", "s3cret\r\n", "s3cret\r", "\u{FEFF}s3cret", "\u{FEFF}s3cret\r\n",
        ])
    func `removes a byte order mark and one line end`(content: String) throws {
        #expect(try SecretText.read(content.utf8) == "s3cret")
    }

    @Test(arguments: [" s3cret ", "pässwörd 📷", "a\u{00A0}b", "\"quoted\""])
    func `keeps all other characters of a secret`(secret: String) throws {
        #expect(try SecretText.read((secret + "\n").utf8) == secret)
    }

    static let refused: [([UInt8], SecretText.Fault)] = [
        ([], .empty), (Array("\n".utf8), .empty), (Array("\r\n".utf8), .empty), ([0xEF, 0xBB, 0xBF], .empty),
        ([0xFF, 0xFE, 0x73, 0x00], .utf16), ([0xFE, 0xFF, 0x00, 0x73], .utf16),
        ([0x73, 0x00, 0x33, 0x00], .utf16),
        ([0x73, 0xE4, 0x73], .notUTF8), (Array("a\n\n".utf8), .severalLines),
        (Array("a\r\n\r\n".utf8), .severalLines),
        (Array("a\nb".utf8), .severalLines), (Array("a\rb".utf8), .severalLines),
        (Array("a\tb".utf8), .controlCharacter(9)), (Array("a\u{1B}b".utf8), .controlCharacter(27)),
        (Array("a\u{7F}".utf8), .controlCharacter(127)), (Array("a\u{85}".utf8), .controlCharacter(133)),
    ]

    @Test(arguments: refused)
    func `refuses invalid secrets with a reason`(bytes: [UInt8], fault: SecretText.Fault) {
        #expect(throws: fault) { try SecretText.read(bytes) }
        #expect(SecretFileError.unreadable("/nas", fault.description).description.contains(fault.description))
    }
}
