/// An encoder of screen updates. Returns the bytes that replace the last screen with a new screen. The caller
/// writes the bytes to the terminal.
public struct ScreenPainter: Sendable {
    /// Whether the terminal supports synchronized updates (mode 2026), which show all changes together.
    public var isSynchronized = false

    private var shown: [Line] = []
    private var isStale = true

    /// Discards the known contents, so the next screen is drawn completely.
    public mutating func invalidate() { isStale = true }

    /// Returns the bytes for the changed lines, or an empty string if no line changed.
    ///
    /// - Parameter columns: The width of the terminal, in cells.
    public mutating func bytes(for screen: [Line], _ style: Style, columns: Int) -> String {
        var text = isStale ? "\u{1B}[0m\u{1B}[2J" : ""
        let known = isStale ? [] : shown
        for row in 0..<max(screen.count, known.count) {
            let line = row < screen.count ? screen[row] : .empty
            if row < known.count, known[row] == line { continue }
            if isStale, line == .empty { continue }
            text += "\u{1B}[\(row + 1);1H" + style.encode(line)
            // After a full line, the cursor is still on the last character. Clearing the rest of the line
            // would remove that character.
            if !isStale, line.width < columns { text += "\u{1B}[K" }
        }
        shown = screen
        isStale = false
        guard isSynchronized, !text.isEmpty else { return text }
        return "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
    }
}
