/// Every sign that is drawn, with its twin for terminals that have ASCII only.
public enum Glyph: CaseIterable, Sendable {
    /// The signs of the tones. `busy` turns; see ``Motion``.
    case neutral, info, busy, success, warning, danger
    /// What has the focus, and what leads to the next step.
    case pointer, arrow
    /// Where text was cut, between facts of one line, for `to`.
    case ellipsis, dot, dash
    /// Directions.
    case up, down, upDown
    /// A section that is closed or open.
    case closed, open
    /// The bars of a meter.
    case full, empty
    /// The lines of a card, and the double ones of what stands above everything.
    case topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical
    /// Lines of what stands above everything.
    case raisedTopLeft, raisedTopRight, raisedBottomLeft, raisedBottomRight, raisedHorizontal, raisedVertical

    /// The sign, in one cell.
    public var unicode: String { twins.unicode }

    /// The same for a terminal that has ASCII only; never empty.
    public var ascii: String { twins.ascii }

    /// The sign for a terminal.
    public func text(hasUnicode: Bool) -> String { hasUnicode ? unicode : ascii }

    private var twins: (unicode: String, ascii: String) {
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

    /// The heights of a sparkline, lowest first.
    public static func heights(hasUnicode: Bool) -> [String] {
        hasUnicode
            ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : ["_", ".", ":", "-", "=", "+", "*", "#"]
    }
}

extension Tone {
    /// Its sign.
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
