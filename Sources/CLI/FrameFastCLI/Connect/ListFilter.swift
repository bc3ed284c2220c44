import TerminalUI

/// What is typed behind `/` to make a long list shorter.
struct ListFilter: Equatable {
    /// Letters that are taken in.
    static let lengthMax = 40

    var text = ""
    /// Whether keys still go to it.
    var isTyping = true

    /// Whether each word stands in the title or the caption.
    func takes(_ row: ChoiceListView.Row) -> Bool {
        let facts = [row.title, row.caption ?? ""].map { $0.lowercased() }
        return text.lowercased().split(separator: " ").allSatisfy { word in
            facts.contains { $0.contains(word) }
        }
    }
}
