import ChildProcesses
import Foundation

/// Text for a header of mail or HTTP: one line, in ASCII.
enum EncodedWord {
    /// Longest text of one encoded word, in bytes: with its frame it has 75 letters at most (RFC 2047).
    private static let bytesMax = 42

    /// The text as it is where it is ASCII, else as encoded words of RFC 2047.
    static func text(_ text: String) -> String {
        let line = oneLine(text)
        // What looks like an encoded word already would be decoded.
        guard !line.allSatisfy(\.isASCII) || line.contains("=?") else { return line }
        var words: [String] = [""]
        for letter in line {
            if words[words.count - 1].utf8.count + letter.utf8.count > bytesMax { words.append("") }
            words[words.count - 1].append(letter)
        }
        return words.map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: " ")
    }

    /// What is to be ASCII already, whatever else it holds.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f }))
    }
}
