import Glibc

/// An encoder that adapts lines to the capabilities of the terminal.
public struct Style: Equatable, Sendable {
    /// The number of colors.
    public var depth: ColorDepth
    /// Whether symbols outside ASCII are written.
    public var hasUnicode: Bool
    /// The colors for the background.
    public var palette: Palette
    /// The contrast of text.
    public var contrast: Contrast
    /// The width, in cells, or `nil` without a terminal. Without a terminal, nothing is cut.
    public var columns: Int?

    /// Creates a style with these capabilities.
    public init(
        depth: ColorDepth, hasUnicode: Bool, palette: Palette = .terminal, contrast: Contrast = .usual,
        columns: Int? = nil
    ) {
        self.depth = depth
        self.hasUnicode = hasUnicode
        self.palette = palette
        self.contrast = contrast
        self.columns = columns
    }

    /// A style with only ASCII, without escape codes.
    public static let bare = Style(depth: .plain, hasUnicode: false)

    /// Returns the layout for components.
    ///
    /// - Parameter hasMargins: Whether there are margins on both sides, as on a screen.
    public func layout(height: Int = .max, hasMargins: Bool = true) -> Layout {
        Layout(
            width: columns ?? Layout.unbounded, height: height, hasUnicode: hasUnicode,
            hasMargins: hasMargins)
    }

    /// The layout for the output of a command: the whole width of the terminal.
    public var page: Layout { layout(hasMargins: false) }

    /// Encodes a line for the terminal, without trailing spaces.
    public func encode(_ line: Line) -> String {
        var spans = line.spans
        while let last = spans.last, last.role != .printed, last.text.allSatisfy({ $0.isWhitespace }) {
            spans.removeLast()
        }
        return spans.map { span in
            switch span.role {
            case .text(let role): text(span.text, role.weight)
            case .accent: set(code(.accent).map { "1;" + $0 } ?? "1", span.text)
            case .tone(let tone): code(.of(tone)).map { set($0, span.text) } ?? span.text
            case .printed: printed(span.text)
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

    /// Returns dark symbols on a light background.
    ///
    /// Without colors, the background is probably dark. This method then draws the gaps as light symbols, and
    /// the symbols as dark gaps.
    private func printed(_ text: String) -> String {
        switch depth {
        case .indexed, .truecolor: set("38;5;16;48;5;231", text)
        case .sixteen: set("30;107", text)
        case .mono, .plain: String(text.map(inverted))
        }
    }

    /// Returns the symbol whose drawn and empty parts are swapped.
    private func inverted(_ symbol: Character) -> Character {
        let gap = Character(Cells.padded("", 1))
        return switch symbol {
        case gap: hasUnicode ? "█" : "#"
        case "█", "#": gap
        case "▀": "▄"
        case "▄": "▀"
        default: symbol
        }
    }

    /// Returns the code for dimmed text. If the background is known, the code is a readable shade. Otherwise,
    /// the code is the terminal's own dimming. Returns `nil` with ``Contrast/more``, which dims nothing.
    private func weak(_ color: Color) -> String? { contrast == .more ? nil : code(color) ?? "2" }

    private func code(_ color: Color) -> String? { color.code(depth, palette, contrast) }

    private func set(_ code: String, _ text: String) -> String {
        depth == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
