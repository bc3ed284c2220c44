import FoundationEssentials

/// The formats of status bars.
public enum StatusBarFormat: String, CaseIterable, Sendable {
    /// Plain words.
    case plain
    /// JSON, one object in each line.
    case json
    /// tmux(1), "STYLES": `#[fg=colour36]`.
    case tmux
    /// waybar-custom(5) with `return-type: json`.
    case waybar
    /// i3bar's input protocol: one block, or the complete protocol for a stream.
    case i3bar
    /// i3blocks: three lines, or one object per line for a stream (`format=json`).
    case i3blocks
    /// polybar's formatting tags: `%{F#10B981}`.
    case polybar

    /// Whether the format includes the details: the activity of each camera, and each condition as a
    /// sentence.
    public var showsDetails: Bool { self == .json || self == .waybar }
}

/// An encoder that converts a status view to the format of a status bar.
public struct StatusBarEncoder: Sendable {
    /// The format.
    public let format: StatusBarFormat
    /// The palette for the bar's background. The default is `dark`, because most bars are dark.
    public let palette: Palette
    /// Whether the bar can show symbols outside ASCII.
    public let hasUnicode: Bool
    /// Whether the output is a stream of lines, for bars that read from a pipe.
    public let isStream: Bool
    /// The maximum width of the text, in cells. A line in the user's custom format is not truncated.
    public let width: Int

    /// The default for ``width``. A status bar usually has 30 to 60 cells for one program.
    public static let widthDefault = 48
    /// The valid range of ``width``. The minimum fits a symbol and a word.
    public static let widths = 8...400

    /// Creates an encoder.
    public init(
        _ format: StatusBarFormat, palette: Palette = .dark, hasUnicode: Bool = true, isStream: Bool = false,
        width: Int = StatusBarEncoder.widthDefault
    ) {
        self.format = format
        self.palette = palette
        self.hasUnicode = hasUnicode
        self.isStream = isStream
        self.width = width
    }

    /// The lines before the first line of a stream.
    public var opening: [String] {
        switch format {
        // The array in i3bar's protocol is never closed.
        case .i3bar: isStream ? ["{\"version\":1}", "["] : []
        case .plain, .json, .tmux, .waybar, .i3blocks, .polybar: []
        }
    }

    /// Returns the encoded view, in as many lines as the format requires.
    public func lines(_ view: StatusBarView) -> [String] {
        switch format {
        case .plain: view.plain(width: width)
        case .json: [json(JSONLine(view, width: width))]
        case .tmux:
            [
                text(
                    view, state: ("#[fg=colour\(shade(view).index)]", "#[default]"),
                    title: ("#[bold]", "#[default]"), escape: Self.tmux)
            ]
        case .polybar: [text(view, state: ("%{F\(shade(view).hex)}", "%{F-}"), escape: Self.polybar)]
        case .waybar:
            [json(WaybarLine(view, text: text(view, title: ("<b>", "</b>"), escape: Self.markup)))]
        case .i3bar:
            isStream
                ? ["[" + json(block(view, name: "framefast")) + "],"] : [json(block(view, name: "framefast"))]
        case .i3blocks:
            isStream
                ? [json(block(view, name: nil))] : [text(view), short(view), shade(view).hex]
        }
    }

    // MARK: Texts

    private func shade(_ view: StatusBarView) -> Shade { Color.of(view.badge.tone).shade(palette) }

    /// The markup before and after a part of the line.
    private typealias Marks = (open: String, close: String)

    /// Returns state, title and facts. The state is colored. The title is emphasized if the bar supports
    /// emphasis.
    private func text(
        _ view: StatusBarView, state: Marks = ("", ""), title: Marks = ("", ""),
        escape: @escaping (String) -> String = { $0 }
    ) -> String {
        let clean = { (text: String) in escape(TerminalText.escaped(text)) }
        let sign = view.badge.tone.glyph.text(hasUnicode: hasUnicode)
        if let custom = view.custom { return state.open + clean(custom) + state.close }
        let dot = Glyph.dot.text(hasUnicode: hasUnicode)
        let colored = (view.headline == nil ? "\(sign) \(view.badge.word)" : sign) + " "
        let parts = StatusBarView.fitted(
            colored + (view.headline ?? view.title), view.facts, separator: dot, width: width)
        let head = parts[0]
        let rest = head.hasPrefix(colored) ? String(head.dropFirst(colored.count)) : ""
        let painted =
            rest.isEmpty
            ? state.open + clean(head) + state.close
            : state.open + clean(String(colored.dropLast())) + state.close + " " + title.open + clean(rest)
                + title.close
        return ([painted] + parts.dropFirst().map(clean)).joined(separator: clean(dot))
    }

    /// Returns the short form of the text.
    private func short(_ view: StatusBarView) -> String {
        let sign = view.badge.tone.glyph.text(hasUnicode: hasUnicode)
        return TerminalText.escaped(view.custom ?? Cells.cut("\(sign) \(view.badge.word)", to: width, "…"))
    }

    /// Escapes text for tmux, where `#` starts an expansion.
    static func tmux(_ text: String) -> String { replaced(text, ["#": "##"]) }

    /// Escapes text for polybar, where `%{` starts a tag and has no escape. A zero-width character
    /// separates `%` from `{`.
    static func polybar(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "{", result.last == "%" { result += "\u{200B}" }
            result.append(character)
        }
        return result
    }

    /// Escapes text for Pango markup.
    static func markup(_ text: String) -> String { replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;"]) }

    private static func replaced(_ text: String, _ table: [Character: String]) -> String {
        text.reduce(into: "") { $0 += table[$1] ?? String($1) }
    }

    // MARK: Objects

    private struct JSONLine: Encodable {
        let text, title, word, tone: String
        let facts, details: [String]
        let percentage: Int?

        init(_ view: StatusBarView, width: Int) {
            text = view.plain(width: width).joined()
            title = view.headline ?? view.title
            word = view.badge.word
            tone = view.badge.tone.word
            facts = view.facts
            details = view.details
            percentage = view.percentage
        }
    }

    private struct WaybarLine: Encodable {
        let text, alt, tooltip, `class`: String
        let percentage: Int?

        init(_ view: StatusBarView, text: String) {
            self.text = text
            alt = view.badge.tone.word
            tooltip = view.details.map { StatusBarEncoder.markup(TerminalText.escaped($0)) }.joined(
                separator: "\n")
            `class` = view.badge.tone.word
            percentage = view.percentage
        }
    }

    private struct Block: Encodable {
        let name: String?
        let full_text, short_text, color, markup: String
        let urgent: Bool
    }

    private func block(_ view: StatusBarView, name: String?) -> Block {
        Block(
            name: name, full_text: text(view), short_text: short(view), color: shade(view).hex,
            markup: "none",
            urgent: view.badge.tone == .danger)
    }

    private func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return TerminalText.escapedJSON(data)
    }
}
