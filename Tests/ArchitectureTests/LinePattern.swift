import Glibc
import Testing

/// A POSIX extended regular expression for the lines of a text, with glibc's `\b`, `\w` and `\s`. In brackets
/// a backslash is literal.
///
/// Swift's own regular expressions need minutes for the sources in a debug build.
final class LinePattern: @unchecked Sendable {
    // Reason: only `init` writes this value, and `regexec` is thread-safe.
    private var compiled = regex_t()

    /// - Throws: An error if the pattern is invalid.
    init(_ pattern: String, ignoresCase: Bool = false) throws {
        let flags = REG_EXTENDED | REG_NEWLINE | (ignoresCase ? REG_ICASE : 0)
        try #require(regcomp(&compiled, pattern, flags) == 0, "no regular expression: \(pattern)")
    }

    deinit { regfree(&compiled) }

    /// Returns whether a part of the text matches.
    func matches(_ text: String) -> Bool { regexec(&compiled, text, 0, nil, 0) == 0 }

    /// Returns the text of a group in each match.
    func texts(ofGroup group: Int, in text: String) -> [String] {
        var found: [String] = []
        var rest = Array(text.utf8CString)
        var ranges = [regmatch_t](repeating: regmatch_t(), count: group + 1)
        while regexec(&compiled, rest, ranges.count, &ranges, 0) == 0, ranges[0].rm_eo > 0 {
            let range = ranges[group]
            if range.rm_so >= 0 {
                let bytes = rest[Int(range.rm_so)..<Int(range.rm_eo)].map { UInt8(bitPattern: $0) }
                found.append(String(decoding: bytes, as: UTF8.self))
            }
            rest.removeFirst(Int(ranges[0].rm_eo))
        }
        return found
    }
}
