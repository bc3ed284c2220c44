/// Makes names that came from outside (cameras, people) safe to be one component of a path.
public enum SafeName {
    /// Longest component in bytes: file systems allow 255; the rest is room for a suffix and an upload's temporary
    /// ending.
    public static let maximumBytes = 200

    /// Cleans `raw` into one path component that cannot leave its folder, hide, look like an option or carry
    /// control codes. Never empty.
    public static func component(_ raw: String) -> String {
        let safe = String(String.UnicodeScalarView(raw.unicodeScalars.map(safe)))
        // By scalar: with a combining mark "." is another character, and the file system sees bytes.
        var clean = cut(safe, toBytes: maximumBytes).unicodeScalars[...]
        while let last = clean.last, last == " " || last == "." { clean.removeLast() }
        while clean.first == " " { clean.removeFirst() }
        if let first = clean.first,
            first == "." || first == "-" || first == "~" || isOneCharacter("/", first)
        {
            clean.replaceSubrange(clean.startIndex..<clean.index(after: clean.startIndex), with: ["_"])
        }
        if let last = clean.last, isOneCharacter(last, "/") {
            clean.removeLast()
            clean.append("_")
        }
        return clean.isEmpty ? "unnamed" : String(clean)
    }

    /// Whether a separator beside this scalar would be a part of one character with it: whoever splits the path by
    /// characters would not see it.
    private static func isOneCharacter(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        String(String.UnicodeScalarView([first, second])).count == 1
    }

    /// Splits a file name into stem and extension (without the dot); the extension is empty when there is none
    /// or when it is not one (longer than ten characters, or not letters and digits).
    public static func split(_ name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ext = name[name.index(after: dot)...]
        guard (1...10).contains(ext.count), ext.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            return (name, "")
        }
        return (String(name[..<dot]), String(ext))
    }

    /// Cuts a text to a number of UTF-8 bytes without splitting a character.
    public static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        var bytes = 0
        for character in text {
            bytes += character.utf8.count
            if bytes > limit { break }
            result.append(character)
        }
        return result
    }

    /// Separators, characters that Windows shares refuse, control codes and invisible direction marks become `_`.
    private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return "_"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return "_"
        default: return scalar
        }
    }
}
