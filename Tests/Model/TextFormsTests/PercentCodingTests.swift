import Testing
import TextForms

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("studio-a", "studio-a"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("ü", "%C3%BC"), ("\n", "%0A"),
        ("", ""),
    ])
    func `encodes and decodes percent-encoded text`(text: String, encoded: String) {
        #expect(PercentCoding.encode(text) == encoded)
        #expect(PercentCoding.decode(encoded) == text)
    }

    @Test(arguments: ["%", "%2", "%zz", "%FF", "%C3"])
    func `decode returns nil for invalid percent-encoding`(text: String) {
        #expect(PercentCoding.decode(text) == nil)
    }

    @Test(arguments: [
        ("a/b c", PercentCoding.UnencodedCharacters.path, "a/b%20c"), ("a/b", .unreserved, "a%2Fb"),
        ("-._~", .unreserved, "-._~"), ("+=()!*'", .path, "%2B%3D%28%29%21%2A%27"),
    ])
    func `keeps only the selected characters unencoded`(
        text: String, kept: PercentCoding.UnencodedCharacters, encoded: String
    ) {
        #expect(PercentCoding.encode(text, keeping: kept) == encoded)
    }
}
