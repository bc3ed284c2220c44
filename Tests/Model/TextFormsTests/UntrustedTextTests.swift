import Testing
import TextForms

@Suite struct UntrustedTextTests {
    @Test(arguments: [
        ("Nice one", "Nice one"), ("  two  spaces ", "two  spaces"), ("a\nb\tc\r\n", "a b c"),
        ("\u{1B}[31mred\u{7}", "[31mred"), ("a\u{202E}gpj.exe\u{2066}b\u{200F}", "agpj.exeb"),
        ("a\u{2028}b", "a b"), ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("👩‍🎨 ü", "👩‍🎨 ü"),
        ("<script>", "<script>"), ("\u{E000}", ""), ("\u{0}", ""), ("", ""),
    ])
    func `removes control and direction characters from a text`(text: String, cleaned: String) {
        #expect(UntrustedText.cleaned(text, lengthMax: 100) == cleaned)
    }

    @Test(arguments: [
        ("abcdef", 3, "abc"), ("ab cdef", 3, "ab"), ("ab👩‍🎨", 4, "ab"), ("abc", 3, "abc"),
        ("e" + String(repeating: "\u{301}", count: 50), 10, ""),
    ])
    func `cuts a long text between two characters`(text: String, length: Int, cut: String) {
        #expect(UntrustedText.cleaned(text, lengthMax: length) == cut)
    }
}
