/// The space in which a component may draw, and the symbols that it may use.
public struct Layout: Equatable, Sendable {
    /// The width without a terminal, in cells. Nothing is truncated or wrapped, so scripts receive whole
    /// lines.
    public static let unbounded = 1 << 20
    /// The minimum width, in cells, at which captions fit next to their titles.
    public static let wideCells = 72
    /// The minimum width, in cells, for margins of two cells.
    static let roomyCells = 60
    /// The maximum width of running text, in cells. Longer lines are hard to read.
    public static let proseCellsMax = 75

    /// The width, in cells.
    public var width: Int
    /// The height, in lines.
    public var height: Int
    /// Whether the terminal can show symbols outside ASCII.
    public var hasUnicode: Bool
    /// Whether there are margins on both sides. The layout inside a card has no margins.
    public var hasMargins: Bool

    /// Creates a layout.
    public init(width: Int, height: Int = .max, hasUnicode: Bool = true, hasMargins: Bool = true) {
        self.hasMargins = hasMargins
        self.width = width
        self.height = height
        self.hasUnicode = hasUnicode
    }

    /// Whether captions fit next to their titles.
    public var isWide: Bool { width >= Self.wideCells }
    /// The margin on each side, in cells.
    public var margin: Int { !hasMargins ? 0 : width >= Self.roomyCells ? Spacing.base : Spacing.xs }
    /// The width between the margins, in cells.
    public var inner: Int { max(10, width - 2 * margin) }

    /// The width of running text, in cells: at most ``proseCellsMax`` on a terminal, or the inner width
    /// without a terminal.
    public var prose: Int { width < Self.unbounded / 2 ? min(inner, Self.proseCellsMax) : inner }

    /// The symbol for text that was cut.
    public var ellipsis: String { text(.ellipsis) }
    /// The symbol before the focused item.
    public var pointer: String { text(.pointer) }
    /// The separator between facts in a line.
    public var dot: String { text(.dot) }
    /// The symbol for the keys that move the focus.
    public var arrows: String { text(.upDown) }
    /// The symbol for more lines above.
    public var up: String { text(.up) }
    /// The symbol for more lines below.
    public var down: String { text(.down) }

    /// Returns a symbol, or its ASCII form.
    public func text(_ glyph: Glyph) -> String { glyph.text(hasUnicode: hasUnicode) }

    /// Returns the same layout with another width.
    public func with(width: Int) -> Layout {
        Layout(width: width, height: height, hasUnicode: hasUnicode, hasMargins: hasMargins)
    }
}
