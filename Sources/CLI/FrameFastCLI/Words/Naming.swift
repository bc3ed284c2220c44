/// Checks whether a sentence contains the name of its subject.
enum Naming {
    /// Returns whether a text contains a name as a whole word, or the name is empty. `nas.example.com` does
    /// not contain the name `nas`.
    static func isNamed(_ name: String, in text: String) -> Bool {
        guard !name.isEmpty else { return true }
        return text.ranges(of: name).contains { range in
            let before = text[..<range.lowerBound].suffix(2)
            let after = text[range.upperBound...].prefix(2)
            return !continues(after) && !continues(Substring(before.reversed()))
        }
    }

    /// Returns whether the text next to a name belongs to the same word: it begins with a letter, a digit, or
    /// one of `.`, `-` and `_` before a letter or digit. The text before a name is passed in reverse.
    private static func continues(_ rest: Substring) -> Bool {
        guard let first = rest.first else { return false }
        if isLetter(first) { return true }
        return [".", "-", "_"].contains(first) && rest.dropFirst().first.map(isLetter) == true
    }

    private static func isLetter(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
