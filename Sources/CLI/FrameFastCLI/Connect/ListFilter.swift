import TerminalUI

/// A text filter for a long list, typed after `/`.
struct ListFilter: Equatable {
    /// The maximum length of the text, in characters.
    static let lengthMax = 40

    var text = ""
    /// Whether the person is still typing. If so, keys enter text.
    var isTyping = true

    /// Returns whether each word of the text occurs in the row's title or caption.
    func matches(_ row: ChoiceListView.Row) -> Bool {
        let facts = [row.title, row.caption ?? ""].map { $0.lowercased() }
        return text.lowercased().split(separator: " ").allSatisfy { word in
            facts.contains { $0.contains(word) }
        }
    }
}
