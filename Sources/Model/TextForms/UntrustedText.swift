/// Text that a person or a camera wrote, and that other people see.
public enum UntrustedText {
    /// Returns the text as one line without control characters and without characters that change the
    /// direction of text. Line breaks and tabs become spaces. Spaces at the ends are removed.
    ///
    /// - Parameter lengthMax: The maximum length, in Unicode scalars. A longer text is cut between two
    ///   characters.
    public static func cleaned(_ text: String, lengthMax: Int) -> String {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.compactMap(shown)))
        var line = trimmed(visible)
        if line.unicodeScalars.count > lengthMax {
            var length = 0
            let kept = line.prefix { character in
                length += character.unicodeScalars.count
                return length <= lengthMax
            }
            line = trimmed(String(kept))
        }
        return line
    }

    /// Returns the scalar, a space for a line break or a tab, or `nil` for a scalar that is removed.
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .control: scalar.properties.isWhitespace ? " " : nil
        case .lineSeparator, .paragraphSeparator: " "
        // The two zero-width joiners are parts of words and emoji. The other format characters are invisible,
        // or change the direction of text.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}" ? scalar : nil
        case .surrogate, .privateUse: nil
        default: scalar
        }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
