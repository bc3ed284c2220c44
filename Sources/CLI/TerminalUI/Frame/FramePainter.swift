/// Turns a frame into the bytes that change what a terminal shows into it. A value: it never writes.
public struct FramePainter: Sendable {
    /// Whether the terminal shows what stands between two marks at once (synchronised updates, mode 2026).
    public var isSynchronised = false

    private var shown: [Line] = []
    private var isStale = true

    /// A painter that knows nothing of what is shown.
    public init() {}

    /// Forgets what is shown: the next frame is drawn as a whole.
    public mutating func invalidate() { isStale = true }

    /// The bytes of the lines that changed; empty when none did.
    ///
    /// - Parameter columns: Cells in a line of the terminal.
    public mutating func bytes(for frame: [Line], _ style: Style, columns: Int) -> String {
        var text = isStale ? "\u{1B}[0m\u{1B}[2J" : ""
        let known = isStale ? [] : shown
        for row in 0..<max(frame.count, known.count) {
            let line = row < frame.count ? frame[row] : .empty
            if row < known.count, known[row] == line { continue }
            if isStale, line == .empty { continue }
            text += "\u{1B}[\(row + 1);1H" + style.encode(line)
            // In the last column the cursor stands on the last character: clearing would take it away.
            if !isStale, line.width < columns { text += "\u{1B}[K" }
        }
        shown = frame
        isStale = false
        guard isSynchronised, !text.isEmpty else { return text }
        return "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
    }
}
