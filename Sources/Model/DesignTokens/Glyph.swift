/// The symbols of the interface, with a form for terminals that only have ASCII.
public enum Glyph: CaseIterable, Sendable {
    /// The symbols of the tones. `busy` is animated; see ``Motion``.
    case neutral, info, busy, success, warning, danger
    /// The symbols for the focus and for the next step.
    case pointer, arrow
    /// The symbols for truncated text, between facts in one line, and between the ends of a range.
    case ellipsis, dot, dash
    /// The arrows.
    case up, down, upDown
    /// The symbols for a closed and an open section.
    case closed, open
    /// The parts of a meter's bar.
    case full, empty
    /// The edges of a card.
    case topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical
    /// The double edges of a card that covers the page.
    case raisedTopLeft, raisedTopRight, raisedBottomLeft, raisedBottomRight, raisedHorizontal, raisedVertical

    /// The Unicode form.
    public var unicode: String { forms.unicode }

    /// The ASCII form, which is never empty.
    public var ascii: String { forms.ascii }

    /// Returns the form for a terminal.
    public func text(hasUnicode: Bool) -> String { hasUnicode ? unicode : ascii }

    private var forms: (unicode: String, ascii: String) {
        switch self {
        case .neutral: ("○", "-")
        case .info: ("●", "*")
        case .busy: ("⠋", "|")
        case .success: ("✓", "ok")
        case .warning: ("▲", "!")
        case .danger: ("✗", "x")
        case .pointer: ("❯", ">")
        case .arrow: ("→", ">")
        case .ellipsis: ("…", "...")
        case .dot: (" · ", ", ")
        case .dash: ("–", "-")
        case .up: ("↑", "^")
        case .down: ("↓", "v")
        case .upDown: ("↑↓", "j/k")
        case .closed: ("▸", "+")
        case .open: ("▾", "-")
        case .full: ("█", "#")
        case .empty: ("░", "-")
        case .topLeft: ("╭", "+")
        case .topRight: ("╮", "+")
        case .bottomLeft: ("╰", "+")
        case .bottomRight: ("╯", "+")
        case .horizontal: ("─", "-")
        case .vertical: ("│", "|")
        case .raisedTopLeft: ("╔", "+")
        case .raisedTopRight: ("╗", "+")
        case .raisedBottomLeft: ("╚", "+")
        case .raisedBottomRight: ("╝", "+")
        case .raisedHorizontal: ("═", "=")
        case .raisedVertical: ("║", "|")
        }
    }

    /// Returns the symbols of a sparkline, lowest first.
    public static func heights(hasUnicode: Bool) -> [String] {
        hasUnicode
            ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : ["_", ".", ":", "-", "=", "+", "*", "#"]
    }
}

extension Tone {
    /// The symbol of the tone.
    public var glyph: Glyph {
        switch self {
        case .neutral: .neutral
        case .info: .info
        case .busy: .busy
        case .success: .success
        case .warning: .warning
        case .danger: .danger
        }
    }
}
