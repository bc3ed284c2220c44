/// Functions that make names from cameras and people safe as a single path component.
public enum SafeName {
    /// The longest component, in bytes. File systems allow 255; the rest is reserved for a suffix and for the
    /// temporary ending of an upload.
    public static let maximumBytes = 200

    /// Returns `raw` as one path component that is never empty and cannot leave its folder, be hidden, look
    /// like an option or contain control characters.
    public static func component(_ raw: String) -> String {
        let safe = String(String.UnicodeScalarView(raw.unicodeScalars.map(sanitised)))
        // Works with scalars, because "." with a combining mark is another character, but the file system
        // compares bytes.
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

    /// Returns whether two scalars form one character. Code that splits a path by characters would miss a
    /// separator in such a pair.
    private static func isOneCharacter(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        String(String.UnicodeScalarView([first, second])).count == 1
    }

    /// Splits a file name into stem and extension, without the dot. The extension is empty if the name has
    /// none, or if it is longer than ten characters or contains anything but letters and digits.
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

    /// Returns `_` for separators, for characters that Windows shares refuse, for control characters and for
    /// invisible direction marks.
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
