import Glibc

/// What the terminal can show, and the encoder of everything that is shown.
public struct Style: Equatable, Sendable {
    /// How many colours are written.
    public var depth: ColourDepth
    /// Whether signs outside ASCII are written.
    public var hasUnicode: Bool
    /// Which colours.
    public var palette: Palette
    /// How far text stands out.
    public var contrast: Contrast
    /// Cells in a line; `nil` off a terminal, where nothing is cut.
    public var columns: Int?

    /// A terminal of these abilities.
    public init(
        depth: ColourDepth, hasUnicode: Bool, palette: Palette = .terminal, contrast: Contrast = .usual,
        columns: Int? = nil
    ) {
        self.depth = depth
        self.hasUnicode = hasUnicode
        self.palette = palette
        self.contrast = contrast
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
        while let last = spans.last, last.role != .paper, last.text.allSatisfy({ $0.isWhitespace }) {
            spans.removeLast()
        }
        return spans.map { span in
            switch span.role {
            case .text(let role): text(span.text, role.weight)
            case .accent: set(code(.accent).map { "1;" + $0 } ?? "1", span.text)
            case .paper: set(depth >= .sixteen ? "30;107" : "7", span.text)
            case .tone(let tone): code(.of(tone)).map { set($0, span.text) } ?? span.text
            }
        }.joined()
    }

    private func text(_ text: String, _ weight: TypeRole.Weight) -> String {
        switch weight {
        case .normal: text
        case .strong: set("1", text)
        case .weak: weak(.secondary).map { set($0, text) } ?? text
        case .weakest: set(weak(.tertiary).map { $0 + ";3" } ?? "3", text)
        }
    }

    /// A shade that can be read where the background is known; else the terminal's own way to dim. With more contrast
    /// nothing is dimmed.
    private func weak(_ colour: Colour) -> String? { contrast == .more ? nil : code(colour) ?? "2" }

    private func code(_ colour: Colour) -> String? { colour.code(depth, palette, contrast) }

    private func set(_ code: String, _ text: String) -> String {
        depth == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
