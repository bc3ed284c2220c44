import Localization

/// Where one is in a guided flow.
public struct StepsView: Component, Equatable {
    /// Short titles, in order.
    public let titles: [String]
    /// Index of the step that is open; `titles.count` when all are done.
    public let current: Int

    /// A place in a flow.
    public init(titles: [String], current: Int) {
        self.titles = titles
        self.current = current
    }

    /// All steps where they fit, else the open one.
    public func lines(_ layout: Layout) -> [Line] {
        let full = titles.indices.flatMap { index -> [Span] in
            let gap = index == 0 ? [] : [Span.gap(Spacing.md)]
            if index < current { return gap + layout.badge(.success, titles[index]) }
            if index == current { return gap + [Span("\(layout.pointer) \(titles[index])", .accent)] }
            return gap + layout.badge(.neutral, titles[index])
        }
        let line = Line(full)
        if line.width <= layout.inner { return [line] }
        guard current < titles.count else {
            return [Line(layout.badge(.success, localized("All steps done")))]
        }
        return [
            Line([
                Span("\(layout.pointer) \(titles[current])", .accent), .gap(Spacing.md),
                Span(localized("step \(current + 1) of \(titles.count)"), .caption),
            ])
        ]
    }

    /// The open step.
    public func plain() -> [String] {
        guard current < titles.count else { return ["all steps done"] }
        return ["step \(current + 1) of \(titles.count): \(titles[current])"]
    }
}
