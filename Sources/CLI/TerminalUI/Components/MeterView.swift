/// How much of a whole is done, as a bar.
public struct MeterView: Component, Equatable {
    /// Cells of the bar, where there is space.
    public static let barCellsMax = 30
    /// Cells of the bar, where there is none.
    static let barCellsMin = 4

    /// What a full bar means.
    public enum Bands: Sendable {
        /// The more, the better, in the bands of the design's score colours: 80, 60, 30.
        case score
        /// Something that goes on; being half through is not bad.
        case progress
    }

    /// What is done, in the unit of ``whole``.
    public let part: Int64
    /// The whole; nothing to do when 0.
    public let whole: Int64
    /// What the share is of, for example `uploaded`.
    public let label: String
    /// What a full bar means.
    public let bands: Bands
    /// What stands behind the share.
    public let caption: String?

    /// A share of a whole.
    public init(part: Int64, whole: Int64, label: String, bands: Bands = .score, caption: String? = nil) {
        self.part = part
        self.whole = whole
        self.label = label
        self.bands = bands
        self.caption = caption
    }

    /// Whole percent. 100 only when everything is done.
    public var percent: Int {
        guard whole > 0, part < whole else { return 100 }
        return Int(whole.dividingFullWidth(max(0, part).multipliedFullWidth(by: 100)).quotient)
    }

    /// What the share means.
    public var tone: Tone {
        if bands == .progress { return .busy }
        switch percent {
        case 80...: return .success
        case 60...: return .info
        case 30...: return .warning
        default: return .danger
        }
    }

    /// The bar with its share behind it.
    public func line(_ layout: Layout) -> Line {
        let text = "\(percent) % \(label)" + (caption.map { layout.dot + $0 } ?? "")
        let cells = max(
            Self.barCellsMin,
            min(Self.barCellsMax, layout.inner - Cells.width(text) - Spacing.md - frameCells(layout)))
        return Line(bar(cells: cells, layout) + [.gap(Spacing.md), Span(text)])
    }

    /// The bar alone.
    ///
    /// - Parameters:
    ///   - cells: Its cells; in ASCII it is two wider.
    ///   - tone: What it means; `nil` for what the share says.
    public func bar(cells: Int, _ layout: Layout, tone: Tone? = nil) -> [Span] {
        let filled = cells * percent / 100
        return [
            Span(layout.hasUnicode ? "" : "[", .caption),
            Span(String(repeating: layout.text(.full), count: filled), .tone(tone ?? self.tone)),
            Span(String(repeating: layout.text(.empty), count: cells - filled), .caption),
            Span(layout.hasUnicode ? "" : "]", .caption),
        ]
    }

    /// Cells of the brackets around a bar of ASCII.
    private func frameCells(_ layout: Layout) -> Int { layout.hasUnicode ? 0 : 2 }

    /// The bar, never wider than the place.
    public func lines(_ layout: Layout) -> [Line] { [line(layout).cut(to: layout.inner, layout)] }

    /// The share in words.
    public func plain() -> [String] {
        ["\(label) percent: \(percent)"] + (caption.map { ["\(label): \(TerminalText.escaped($0))"] } ?? [])
    }
}
