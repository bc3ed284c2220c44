import Foundation

/// A message of rclone that is searched for the cause of a failure. The search ignores names that people
/// chose: "Geoffrey" contains "eof", and a folder's name may be "Certificates".
struct RcloneText {
    /// The message in lower case.
    private let text: String
    /// The ranges of names, paths and URLs in the message.
    private let names: [Range<String.Index>]

    /// - Parameter paths: The names of files, folders and remotes that the message may contain. Each
    ///   component of a path is excluded.
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

    /// Returns whether the message contains a text as separate words, outside of names, paths and host names.
    ///
    /// - Parameter sign: The text in lower case.
    func has(_ sign: String) -> Bool {
        text.ranges(of: sign).contains { found in
            !Self.isWithinWord(found, of: text) && !Self.isWithinPath(found, of: text)
                && !names.contains { name in
                    name.lowerBound <= found.lowerBound && found.upperBound <= name.upperBound
                        && isName(found, as: name)
                }
        }
    }

    /// The numbers in the message that are separate words. Ports and digits in names are excluded.
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

    /// Returns whether a range belongs to a name. A range that covers the complete name counts only next to a
    /// slash, a colon or a quote, because a folder's name may be a word such as "quota".
    private func isName(_ range: Range<String.Index>, as name: Range<String.Index>) -> Bool {
        guard name == range else { return true }
        let marks: Set<Character> = ["/", "\\", ":", "\"", "'"]
        let behind = text[range.upperBound...]
        return [text[..<range.lowerBound].last, behind.first].contains { $0.map(marks.contains) ?? false }
            || behind.first { $0 != " " } == ":"
    }

    /// Returns whether a letter or digit directly before or after the range belongs to the same word.
    private static func isWithinWord(_ range: Range<String.Index>, of text: String) -> Bool {
        let inner = text[range]
        return isLetter(inner.first) && isLetter(text[..<range.lowerBound].last)
            || isLetter(inner.last) && isLetter(text[range.upperBound...].first)
    }

    /// Returns whether a range is part of a path, a file name or a host name.
    private static func isWithinPath(_ range: Range<String.Index>, of text: String) -> Bool {
        let inner = text[range]
        return isLetter(inner.first) && continues(Array(text[..<range.lowerBound].suffix(2).reversed()))
            || isLetter(inner.last) && continues(Array(text[range.upperBound...].prefix(2)))
    }

    /// Returns whether characters next to a range continue a path or name. The nearest character is first.
    private static func continues(_ next: [Character]) -> Bool {
        guard let first = next.first else { return false }
        return ["/", "\\", "_", "-", "%"].contains(first) || first == "." && isLetter(next.dropFirst().first)
    }

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }
}
