/// A bar that shows a share of a whole.
public struct MeterView: Component, Equatable {
    /// The maximum width of the bar, in cells.
    public static let barCellsMax = 30
    /// The minimum width of the bar, in cells.
    static let barCellsMin = 4

    /// The meaning of the share.
    public enum Bands: Sendable {
        /// A score: higher is better. The colors change at 80, 60 and 30 percent.
        case score
        /// The progress of an activity. A low share is not a problem.
        case progress
    }

    /// The completed part, in the unit of ``whole``.
    public let part: Int64
    /// The whole, or 0 if there is nothing to do.
    public let whole: Int64
    /// The label of the share, for example `uploaded`.
    public let label: String
    /// The meaning of the share.
    public let bands: Bands
    /// The text after the share.
    public let caption: String?

    /// Creates a meter.
    public init(part: Int64, whole: Int64, label: String, bands: Bands = .score, caption: String? = nil) {
        self.part = part
        self.whole = whole
        self.label = label
        self.bands = bands
        self.caption = caption
    }

    /// The share, in whole percent. The share is 100 only if everything is done.
    public var percent: Int {
        guard whole > 0, part < whole else { return 100 }
        return Int(whole.dividingFullWidth(max(0, part).multipliedFullWidth(by: 100)).quotient)
    }

    /// The tone for the share.
    public var tone: Tone {
        if bands == .progress { return .busy }
        switch percent {
        case 80...: return .success
        case 60...: return .info
        case 30...: return .warning
        default: return .danger
        }
    }

    /// Returns the bar, followed by the share.
    public func line(_ layout: Layout) -> Line {
        let text = "\(percent) % \(label)" + (caption.map { layout.dot + $0 } ?? "")
        let cells = max(
            Self.barCellsMin,
            min(Self.barCellsMax, layout.inner - Cells.width(text) - Spacing.md - frameCells(layout)))
        return Line(bar(cells: cells, layout) + [.gap(Spacing.md), Span(text)])
    }

    /// Returns the bar alone.
    ///
    /// - Parameters:
    ///   - cells: The width of the bar, in cells. In ASCII the bar is two cells wider.
    ///   - tone: The tone, or `nil` for the tone of the share.
    public func bar(cells: Int, _ layout: Layout, tone: Tone? = nil) -> [Span] {
        let filled = cells * percent / 100
        return [
            Span(layout.hasUnicode ? "" : "[", .caption),
            Span(String(repeating: layout.text(.full), count: filled), .tone(tone ?? self.tone)),
            Span(String(repeating: layout.text(.empty), count: cells - filled), .caption),
            Span(layout.hasUnicode ? "" : "]", .caption),
        ]
    }

    /// Returns the width of the brackets around an ASCII bar, in cells.
    private func frameCells(_ layout: Layout) -> Int { layout.hasUnicode ? 0 : 2 }

    /// Returns the bar, cut to the width of the layout.
    public func lines(_ layout: Layout) -> [Line] { [line(layout).cut(to: layout.inner, layout)] }

    /// Returns the share in words.
    public func plain() -> [String] {
        ["\(label) percent: \(percent)"] + (caption.map { ["\(label): \(TerminalText.escaped($0))"] } ?? [])
    }
}
