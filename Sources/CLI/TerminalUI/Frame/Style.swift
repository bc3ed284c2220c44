import Glibc

/// What the terminal can show, and the encoder of everything that is shown.
public struct Style: Equatable, Sendable {
    /// How many colours are written.
    public var depth: ColourDepth
    /// Whether signs outside ASCII are written.
    public var hasUnicode: Bool
    /// Which colours.
    public var palette: Palette
    /// Cells in a line; `nil` off a terminal, where nothing is cut.
    public var columns: Int?

    /// A terminal of these abilities.
    public init(
        depth: ColourDepth, hasUnicode: Bool, palette: Palette = .terminal, columns: Int? = nil
    ) {
        self.depth = depth
        self.hasUnicode = hasUnicode
        self.palette = palette
        self.columns = columns
    }

    /// Nothing but ASCII.
    public static let bare = Style(depth: .plain, hasUnicode: false)

    /// Where a component may draw.
    ///
    /// - Parameter hasMargins: Whether there is space before and behind everything, as on a screen.
    public func layout(height: Int = .max, hasMargins: Bool = true) -> Layout {
        Layout(
            width: columns ?? Layout.unbounded, height: height, hasUnicode: hasUnicode,
            hasMargins: hasMargins)
    }

    /// Where a verb prints: the whole width of the terminal.
    public var page: Layout { layout(hasMargins: false) }

    /// A line as it goes to the terminal, without spaces at its end.
    public func encode(_ line: Line) -> String {
        var spans = line.spans
        while let last = spans.last, last.text.allSatisfy({ $0 == " " }) { spans.removeLast() }
        return spans.map { span in
            switch span.role {
            case .plain: span.text
            case .strong: bold(span.text)
            case .dim: dim(span.text)
            case .tertiary: set(weak(.tertiary) + ";3", span.text)
            case .accent: accent(span.text)
            case .tone(let tone): paint(span.text, tone)
            }
        }.joined()
    }

    /// Sign and word in the tone's colour. Colour never carries the meaning alone.
    public func badge(_ tone: Tone, _ word: String, width: Int = 0) -> String {
        paint(glyph(tone) + " " + padded(word, width), tone)
    }

    /// The tone's sign or its ASCII twin.
    public func glyph(_ tone: Tone) -> String { tone.glyph.text(hasUnicode: hasUnicode) }

    /// Stronger than text.
    public func bold(_ text: String) -> String { set("1", text) }

    /// Weaker than text.
    public func dim(_ text: String) -> String { set(weak(.secondary), text) }

    /// A shade that can be read where the background is known; else the terminal's own way to dim.
    private func weak(_ colour: Colour) -> String { colour.code(depth, palette) ?? "2" }

    /// Between facts of one line.
    public var dot: String { Glyph.dot.text(hasUnicode: hasUnicode) }

    /// Before a next step.
    public var arrow: String { Glyph.arrow.text(hasUnicode: hasUnicode) + " " }

    /// A text with spaces behind it up to `width` cells.
    public func padded(_ text: String, _ width: Int) -> String { Cells.padded(text, width) }

    /// The text in the tone's colour.
    public func paint(_ text: String, _ tone: Tone) -> String {
        Colour.of(tone).code(depth, palette).map { set($0, text) } ?? text
    }

    /// Bold, in the colour of what has the focus.
    public func accent(_ text: String) -> String {
        set(Colour.accent.code(depth, palette).map { "1;" + $0 } ?? "1", text)
    }

    private func set(_ code: String, _ text: String) -> String {
        depth == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
