/// The progress through a guided flow.
public struct StepsView: Component, Equatable {
    /// The short titles, in order.
    public let titles: [String]
    /// The index of the current step, or `titles.count` if all steps are done.
    public let current: Int

    /// Creates a view of the steps.
    public init(titles: [String], current: Int) {
        self.titles = titles
        self.current = current
    }

    /// Returns all steps if they fit, else the current step.
    public func lines(_ layout: Layout) -> [Line] {
        let full = titles.indices.flatMap { index -> [Span] in
            let gap = index == 0 ? [] : [Span.gap(Spacing.md)]
            if index < current { return gap + layout.badge(.success, titles[index]) }
            if index == current { return gap + [Span("\(layout.pointer) \(titles[index])", .accent)] }
            return gap + layout.badge(.neutral, titles[index])
        }
        let line = Line(full)
        if line.width <= layout.inner { return [line] }
        guard current < titles.count else { return [Line(layout.badge(.success, "All steps done"))] }
        return [
            Line([
                Span("\(layout.pointer) \(titles[current])", .accent), .gap(Spacing.md),
                Span("step \(current + 1) of \(titles.count)", .caption),
            ])
        ]
    }

    /// Returns the current step.
    public func plain() -> [String] {
        guard current < titles.count else { return ["all steps done"] }
        return ["step \(current + 1) of \(titles.count): \(titles[current])"]
    }
}
