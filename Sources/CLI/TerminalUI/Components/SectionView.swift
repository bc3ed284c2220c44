/// The head of a part of a screen, with how many things are in it.
public struct SectionView: Component, Equatable {
    /// What the part is about.
    public let title: String
    /// How many; `nil` where it does not matter.
    public let count: String?
    /// What narrows it down, for example a filter.
    public let label: String?
    /// Whether what is in it is shown; `nil` where it always is.
    public let isOpen: Bool?
    /// What stands at the end of the line.
    public let note: String?
    /// Where there is more about it, for example a command; left out where there is no space for it.
    public let action: String?
    /// Whether it has the focus.
    public let isFocused: Bool

    /// A head.
    public init(
        _ title: String, count: String? = nil, label: String? = nil, isOpen: Bool? = nil,
        note: String? = nil, action: String? = nil, isFocused: Bool = false
    ) {
        self.isFocused = isFocused
        self.title = title
        self.count = count
        self.label = label
        self.isOpen = isOpen
        self.note = note
        self.action = action
    }

    /// One line.
    public func lines(_ layout: Layout) -> [Line] {
        let gap = Span.gap(Spacing.xs)
        var head = isFocused ? [Span(layout.pointer, .accent), gap] : []
        head += isOpen.map { [Span(layout.text($0 ? .open : .closed), .caption), gap] } ?? []
        head.append(Span(title, isFocused ? .accent : .section))
        if let count { head += [.gap(Spacing.sm), Span(count, .caption)] }
        if let label { head += [.gap(Spacing.sm), TypeRole.label.span(label)] }
        let tail = note.map { [Span($0, .caption)] } ?? []
        guard let action else { return [Line.spread(head, tail, to: layout.inner, layout)] }
        let leads = [Span(layout.text(.arrow), .accent), gap, Span(action)]
        let both = tail + (tail.isEmpty ? [] : [.gap(Spacing.md)]) + leads
        let fits = Line(head + both).width + Spacing.md <= layout.inner
        return [Line.spread(head, fits ? both : tail, to: layout.inner, layout)]
    }

    /// One line.
    public func plain() -> [String] {
        let head = count.map { "\(title): \($0)" } ?? title
        let facts = [head, label, note, action.map { "more: \($0)" }]
        return [TerminalText.escaped(facts.compactMap { $0 }.joined(separator: ", "))]
    }
}
