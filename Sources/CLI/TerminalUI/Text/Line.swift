/// A part of a line with its role.
public struct Span: Equatable, Sendable {
    /// The role of a text. The style defines its appearance.
    public enum Role: Equatable, Sendable {
        /// Text at a level of the hierarchy.
        case text(TypeRole)
        /// The focused item.
        case accent
        /// Text with the meaning of a tone.
        case tone(Tone)
        /// Dark symbols on a light background in every palette, for QR codes.
        case printed

        /// The title of a screen.
        public static let pageTitle = Role.text(.pageTitle)
        /// The heading of a section.
        public static let section = Role.text(.section)
        /// Ordinary text.
        public static let primary = Role.text(.primary)
        /// The main text of a row.
        public static let emphasised = Role.text(.emphasised)
        /// Text next to the main text.
        public static let caption = Role.text(.caption)
        /// Less important text.
        public static let tertiary = Role.text(.tertiary)
    }

    /// The text, in which harmful characters are escaped.
    public let text: String
    /// The role.
    public let role: Role

    /// Creates a span from any text. Characters that could control the terminal are escaped.
    public init(_ text: String, _ role: Role = .primary) {
        self.text = TerminalText.escaped(text)
        self.role = role
    }

    /// The width, in cells.
    public var width: Int { Cells.width(text) }
}

extension Span {
    /// Returns a gap between two spans.
    public static func gap(_ cells: Int) -> Span { Span(Cells.padded("", cells)) }
}

extension TypeRole {
    /// Returns a text as a span. Labels are in brackets.
    public func span(_ text: String) -> Span { Span(self == .label ? "[\(text)]" : text, .text(self)) }
}

/// One line of a screen.
public struct Line: Equatable, Sendable {
    /// The spans, from left to right.
    public var spans: [Span]

    /// Creates a line of spans.
    public init(_ spans: [Span] = []) { self.spans = spans }

    /// Creates a line of one span.
    public init(_ text: String, _ role: Span.Role = .primary) {
        spans = text.isEmpty ? [] : [Span(text, role)]
    }

    /// An empty line.
    public static let empty = Line()

    /// The width, in cells.
    public var width: Int { spans.reduce(0) { $0 + $1.width } }

    /// The text without its roles.
    public var text: String { spans.map(\.text).joined() }

    /// Returns the line, indented by this number of cells.
    public func indented(_ cells: Int) -> Line {
        spans.isEmpty || cells <= 0 ? self : Line([.gap(cells)] + spans)
    }

    /// Returns the line, padded at the end to `width` cells.
    public func padded(_ width: Int) -> Line {
        let gap = width - self.width
        return gap > 0 ? Line(spans + [.gap(gap)]) : self
    }

    /// Returns the line, cut to `width` cells. A cut line ends in an ellipsis.
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

    /// Returns a wrapped text with a hanging indent: further lines align with the text, not with its head.
    ///
    /// - Parameters:
    ///   - head: The spans before the text: a symbol, a number or a name.
    ///   - width: The width of head and text together, in cells.
    public static func hanging(
        _ head: [Span], _ text: String, _ role: Span.Role = .primary, to width: Int
    ) -> [Line] {
        let indent = Line(head).width
        let texts = Cells.wrap(TerminalText.escaped(text), to: width - indent)
        guard let first = texts.first else { return [Line(head)] }
        return [Line(head + [Span(first, role)])] + texts.dropFirst().map { Line($0, role).indented(indent) }
    }

    /// Returns a line of `width` cells with spans at both ends. If the line is too long, the left spans are
    /// cut first.
    public static func spread(_ left: [Span], _ right: [Span], to width: Int, _ layout: Layout) -> Line {
        // Without a terminal, lines have no right end to align to.
        guard width < Layout.unbounded / 2 else { return Line(left + [.gap(Spacing.md)] + right) }
        let tail = Line(right).cut(to: width, layout)
        guard tail.width > 0 else { return Line(left).cut(to: width, layout) }
        let head = Line(left).cut(to: max(0, width - tail.width - Spacing.xs), layout)
        return Line(head.padded(width - tail.width).spans + tail.spans)
    }
}
