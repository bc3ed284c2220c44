import Testing
import TextForms

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("studio-a", "studio-a"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("ü", "%C3%BC"), ("\n", "%0A"),
        ("", ""),
    ])
    func `percent-encoding goes there and back`(text: String, encoded: String) {
        #expect(PercentCoding.encode(text) == encoded)
        #expect(PercentCoding.decode(encoded) == text)
    }

    @Test(arguments: ["%", "%2", "%zz", "%FF", "%C3"])
    func `broken percent-encoding is refused`(text: String) {
        #expect(PercentCoding.decode(text) == nil)
    }

    @Test(arguments: [
        ("a/b c", PercentCoding.Kept.path, "a/b%20c"), ("a/b", .unreserved, "a%2Fb"),
        ("-._~", .unreserved, "-._~"), ("+=()!*'", .path, "%2B%3D%28%29%21%2A%27"),
    ])
    func `only what is named stays as it is`(text: String, kept: PercentCoding.Kept, encoded: String) {
        #expect(PercentCoding.encode(text, keeping: kept) == encoded)
    }
}
