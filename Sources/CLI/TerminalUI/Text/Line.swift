/// A piece of text with what it means.
public struct Span: Equatable, Sendable {
    /// What a piece of text is; the style decides what it looks like.
    public enum Role: Equatable, Sendable {
        /// Text in its place of the hierarchy.
        case text(TypeRole)
        /// What has the focus.
        case accent
        /// What means something.
        case tone(Tone)
        /// What cameras read: dark on light, whatever the colours of the terminal.
        case paper

        /// What the whole screen is about.
        public static let pageTitle = Role.text(.pageTitle)
        /// What a part of it is about.
        public static let section = Role.text(.section)
        /// Text.
        public static let primary = Role.text(.primary)
        /// What people look for in a row.
        public static let emphasised = Role.text(.emphasised)
        /// Text beside it.
        public static let caption = Role.text(.caption)
        /// Text that matters less.
        public static let tertiary = Role.text(.tertiary)
    }

    /// The text.
    public let text: String
    /// What it is.
    public let role: Role

    /// Takes text from anywhere: what could move a terminal's cursor becomes visible.
    public init(_ text: String, _ role: Role = .primary) {
        self.text = TerminalText.escaped(text)
        self.role = role
    }

    /// In cells.
    public var width: Int { Cells.width(text) }
}

/// One line of a frame.
public struct Line: Equatable, Sendable {
    /// Its pieces, from left to right.
    public var spans: [Span]

    /// A line of pieces.
    public init(_ spans: [Span] = []) { self.spans = spans }

    /// A line of one piece.
    public init(_ text: String, _ role: Span.Role = .primary) {
        spans = text.isEmpty ? [] : [Span(text, role)]
    }

    /// Nothing.
    public static let empty = Line()

    /// In cells.
    public var width: Int { spans.reduce(0) { $0 + $1.width } }

    /// The text without what it means.
    public var text: String { spans.map(\.text).joined() }

    /// The line further to the right.
    public func indented(_ cells: Int) -> Line {
        spans.isEmpty || cells <= 0 ? self : Line([.gap(cells)] + spans)
    }

    /// The line with spaces behind it up to `width` cells.
    public func padded(_ width: Int) -> Line {
        let gap = width - self.width
        return gap > 0 ? Line(spans + [.gap(gap)]) : self
    }

    /// The line, not wider than `width`; a cut one ends in an ellipsis.
    public func cut(to width: Int, _ layout: Layout) -> Line {
        guard self.width > width else { return self }
        var left = width
        var kept: [Span] = []
        for span in spans {
            guard span.width > left || (span.width == left && span != spans.last) else {
                kept.append(span)
                left -= span.width
                continue
            }
            kept.append(Span(Cells.cut(span.text, to: left, layout.ellipsis), span.role))
            break
        }
        return Line(kept)
    }

    /// A text behind what stands before its first line; what is wrapped begins below the text, not below that.
    ///
    /// - Parameters:
    ///   - head: What stands before it: a sign, a number, a name.
    ///   - width: Cells of head and text together.
    public static func hanging(
        _ head: [Span], _ text: String, _ role: Span.Role = .primary, to width: Int
    ) -> [Line] {
        let indent = Line(head).width
        let texts = Cells.wrap(TerminalText.escaped(text), to: width - indent)
        guard let first = texts.first else { return [Line(head)] }
        return [Line(head + [Span(first, role)])] + texts.dropFirst().map { Line($0, role).indented(indent) }
    }

    /// Left and right at the two ends of a line of `width` cells; the left is cut before the right is.
    public static func spread(_ left: [Span], _ right: [Span], to width: Int, _ layout: Layout) -> Line {
        // Where lines have no end, there is nothing to spread to.
        guard width < Layout.unbounded / 2 else { return Line(left + [.gap(Spacing.md)] + right) }
        let tail = Line(right).cut(to: width, layout)
        guard tail.width > 0 else { return Line(left).cut(to: width, layout) }
        let head = Line(left).cut(to: max(0, width - tail.width - Spacing.xs), layout)
        return Line(head.padded(width - tail.width).spans + tail.spans)
    }
}
