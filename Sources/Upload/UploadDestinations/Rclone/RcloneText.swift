import Foundation

/// A text of rclone's, in which names that people have chosen are no sign of a cause: "Geoffrey" has "eof" in it, and a
/// folder may be called "Certificates".
struct RcloneText {
    /// In lower case.
    private let text: String
    /// Where names and addresses are.
    private let names: [Range<String.Index>]

    /// - Parameter paths: Names of files, folders and remotes that may be in the text. Each part of a path counts.
    init(_ text: String, names paths: [String]) {
        let text = text.lowercased()
        let parts = paths.flatMap { [$0] + $0.split(separator: "/").map(String.init) }
        let wanted = Set(parts.map { $0.lowercased() }.filter { !$0.isEmpty })
        self.text = text
        names =
            wanted.flatMap { name in
                text.ranges(of: name).filter { !Self.isWithinWord($0, of: text) }
            } + text.ranges(of: /[a-z][a-z0-9+.\-]*:\/\/[^\s"'<>]+/)
    }

    /// Whether a sign is in the text: as words of their own, and not within a name, a path or a host name.
    ///
    /// - Parameter sign: In lower case.
    func has(_ sign: String) -> Bool {
        text.ranges(of: sign).contains { found in
            !Self.isWithinWord(found, of: text) && !Self.isWithinPath(found, of: text)
                && !names.contains { name in
                    name.lowerBound <= found.lowerBound && found.upperBound <= name.upperBound
                        && isName(found, as: name)
                }
        }
    }

    /// Numbers that are words of their own: ports and names of photos have digits, too.
    var numbers: [Int] {
        text.split(separator: " ").compactMap { word in
            guard let digits = word.firstRange(of: /[0-9]+/),
                !names.contains(where: {
                    $0.overlaps(word.startIndex..<word.endIndex) && isName(digits, as: $0)
                })
            else { return nil }
            return Int(word.trimmingCharacters(in: .punctuationCharacters))
        }
    }

    /// Whether what is in a range is a part of a name, or the whole name. A folder may be called "quota": the whole name counts
    /// only next to a slash, a colon or a quote.
    private func isName(_ range: Range<String.Index>, as name: Range<String.Index>) -> Bool {
        guard name == range else { return true }
        let marks: Set<Character> = ["/", "\\", ":", "\"", "'"]
        let behind = text[range.upperBound...]
        return [text[..<range.lowerBound].last, behind.first].contains { $0.map(marks.contains) ?? false }
            || behind.first { $0 != " " } == ":"
    }

    /// Whether a letter or a digit continues what is in a range.
    private static func isWithinWord(_ range: Range<String.Index>, of text: String) -> Bool {
        let inner = text[range]
        return isLetter(inner.first) && isLetter(text[..<range.lowerBound].last)
            || isLetter(inner.last) && isLetter(text[range.upperBound...].first)
    }

    /// Whether what is in a range is a part of a path, of a file's name or of a host name.
    private static func isWithinPath(_ range: Range<String.Index>, of text: String) -> Bool {
        let inner = text[range]
        return isLetter(inner.first) && continues(Array(text[..<range.lowerBound].suffix(2).reversed()))
            || isLetter(inner.last) && continues(Array(text[range.upperBound...].prefix(2)))
    }

    /// Whether a path or a name continues with these characters, seen from its end.
    private static func continues(_ next: [Character]) -> Bool {
        guard let first = next.first else { return false }
        return ["/", "\\", "_", "-", "%"].contains(first) || first == "." && isLetter(next.dropFirst().first)
    }

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }
}
