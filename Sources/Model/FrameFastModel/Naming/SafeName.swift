/// Functions that make names from cameras and people safe as a single path component.
public enum SafeName {
    /// The longest component, in bytes. File systems allow 255 bytes. The difference is reserved for a suffix
    /// and for the temporary extension of an upload.
    public static let maximumBytes = 200

    /// Returns `raw` as a safe path component. The result is not empty, not hidden, and contains no
    /// separators or control characters. Programs cannot mistake the result for a command-line option.
    public static func component(_ raw: String) -> String {
        let safe = String(String.UnicodeScalarView(raw.unicodeScalars.map(sanitised)))
        // Compares scalars instead of characters, because "." with a combining mark is a different character,
        // but starts with the same byte.
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

    /// Returns whether two scalars form one character. If one of them is a separator, code that splits a path
    /// by characters would miss the separator.
    private static func isOneCharacter(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        String(String.UnicodeScalarView([first, second])).count == 1
    }

    /// Splits a file name into stem and extension, without the dot. Text after the dot is an extension only
    /// if it has 1 to 10 ASCII letters and digits. For other names, the extension is empty.
    public static func split(_ name: String) -> (stem: String, ext: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ext = name[name.index(after: dot)...]
        guard (1...10).contains(ext.count), ext.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            return (name, "")
        }
        return (String(name[..<dot]), String(ext))
    }

    /// Truncates text to a number of UTF-8 bytes without splitting a character.
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

    /// Returns the scalar, or `_` for separators, characters that are invalid on Windows shares, control
    /// characters and invisible characters.
    private static func sanitised(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
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
