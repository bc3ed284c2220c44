/// Whether a sentence names what it is about.
enum Naming {
    /// Whether the name stands in the text by itself: `nas` is not named by `nas.example.com`.
    static func isNamed(_ name: String, in text: String) -> Bool {
        guard !name.isEmpty else { return true }
        return text.ranges(of: name).contains { range in
            let before = text[..<range.lowerBound].suffix(2)
            let after = text[range.upperBound...].prefix(2)
            return !continues(after) && !continues(Substring(before.reversed()))
        }
    }

    /// Whether a word goes on here: a letter, or a joint with a letter behind it.
    private static func continues(_ rest: Substring) -> Bool {
        guard let first = rest.first else { return false }
        if isLetter(first) { return true }
        return [".", "-", "_"].contains(first) && rest.dropFirst().first.map(isLetter) == true
    }

    private static func isLetter(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
