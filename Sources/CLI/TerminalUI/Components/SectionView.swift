/// The heading of a section, with the number of its items.
public struct SectionView: Component, Equatable {
    /// The title.
    public let title: String
    /// The number of items, or `nil` if the number does not matter.
    public let count: String?
    /// The restriction of the items, for example a filter, or `nil` without a restriction.
    public let label: String?
    /// Whether the section is expanded, or `nil` if it cannot be collapsed.
    public let isOpen: Bool?
    /// The note at the end of the line.
    public let note: String?
    /// The source of more information, for example a command. Omitted if it does not fit.
    public let action: String?
    /// Whether the section has the focus.
    public let isFocused: Bool

    /// Creates a heading.
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

    /// Returns one line.
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

    /// Returns one line.
    public func plain() -> [String] {
        let head = count.map { "\(title): \($0)" } ?? title
        let facts = [head, label, note, action.map { "more: \($0)" }]
        return [TerminalText.escaped(facts.compactMap { $0 }.joined(separator: ", "))]
    }
}
