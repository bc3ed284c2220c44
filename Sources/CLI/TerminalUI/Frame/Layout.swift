/// Where a component may draw, and with which signs.
public struct Layout: Equatable, Sendable {
    /// Cells in a line where there is no terminal: nothing is cut or wrapped, scripts get whole lines.
    public static let unbounded = 1 << 20
    /// Below this width captions go under what they belong to.
    public static let wideCells = 72
    /// From this width on there is a margin of two cells.
    static let roomyCells = 60
    /// Longest line of sentences, in cells: the eye loses the way back from the end of longer ones.
    public static let proseCellsMax = 75

    /// Cells in a line.
    public var width: Int
    /// Lines.
    public var height: Int
    /// Whether signs outside ASCII can be shown.
    public var hasUnicode: Bool
    /// Whether there is space before and behind everything; a box has its own.
    public var hasMargins: Bool

    /// Where to draw.
    public init(width: Int, height: Int = .max, hasUnicode: Bool = true, hasMargins: Bool = true) {
        self.hasMargins = hasMargins
        self.width = width
        self.height = height
        self.hasUnicode = hasUnicode
    }

    /// Whether captions fit beside what they belong to.
    public var isWide: Bool { width >= Self.wideCells }
    /// Before everything.
    public var margin: Int { !hasMargins ? 0 : width >= Self.roomyCells ? Spacing.base : Spacing.xs }
    /// What is left beside the margins.
    public var inner: Int { max(10, width - 2 * margin) }

    /// What sentences take of it: whole lines where there is no terminal, else not more than can be read well.
    public var prose: Int { width < Self.unbounded / 2 ? min(inner, Self.proseCellsMax) : inner }

    /// Where text was cut.
    public var ellipsis: String { text(.ellipsis) }
    /// Before what has the focus.
    public var pointer: String { text(.pointer) }
    /// Between two ends.
    public var dash: String { text(.dash) }
    /// Between facts of one line.
    public var dot: String { text(.dot) }
    /// The keys that move the focus.
    public var arrows: String { text(.upDown) }
    /// More above.
    public var up: String { text(.up) }
    /// More below.
    public var down: String { text(.down) }

    /// A sign or its ASCII twin.
    public func text(_ glyph: Glyph) -> String { glyph.text(hasUnicode: hasUnicode) }

    /// The tone's sign or its ASCII twin, as wide as the widest: columns stay in place.
    public func glyph(_ tone: Tone) -> Span {
        Span(Cells.padded(text(tone.glyph), hasUnicode ? 1 : 2), .tone(tone))
    }

    /// The tone's sign, and the space before its text.
    public func sign(_ tone: Tone) -> [Span] { [glyph(tone), .gap(Spacing.xs)] }

    /// Sign and word.
    public func badge(_ tone: Tone, _ word: String) -> [Span] { BadgeView(tone, word).spans(self) }

    /// Sentences behind a sign, wrapped.
    public func signed(_ tone: Tone, _ text: String, _ role: Span.Role = .primary) -> [Line] {
        Line.hanging(sign(tone), text, role, to: prose)
    }

    /// The same place with another width.
    public func with(width: Int) -> Layout {
        Layout(width: width, height: height, hasUnicode: hasUnicode, hasMargins: hasMargins)
    }
}
