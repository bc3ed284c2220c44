/// The head of a part of a screen, with how many things are in it.
public struct SectionView: Component, Equatable {
    /// What the part is about.
    public let title: String
    /// How many; `nil` where it does not matter.
    public let count: String?
    /// Whether what is in it is shown; `nil` where it always is.
    public let isOpen: Bool?
    /// What stands at the end of the line.
    public let note: String?
    /// Whether it has the focus.
    public let isFocused: Bool

    /// A head.
    public init(
        _ title: String, count: String? = nil, isOpen: Bool? = nil, note: String? = nil,
        isFocused: Bool = false
    ) {
        self.isFocused = isFocused
        self.title = title
        self.count = count
        self.isOpen = isOpen
        self.note = note
    }

    /// One line.
    public func lines(_ layout: Layout) -> [Line] {
        var head = isFocused ? [Span(layout.pointer + " ", .accent)] : []
        head += isOpen.map { [Span(layout.text($0 ? .open : .closed) + " ", .dim)] } ?? []
        head.append(Span(title, isFocused ? .accent : .strong))
        if let count { head.append(Span(" " + count, .dim)) }
        return [Line.spread(head, note.map { [Span($0, .dim)] } ?? [], to: layout.inner, layout)]
    }

    /// One line.
    public func plain() -> [String] {
        let head = count.map { "\(title): \($0)" } ?? title
        return [TerminalText.escaped([head, note].compactMap { $0 }.joined(separator: ", "))]
    }
}
