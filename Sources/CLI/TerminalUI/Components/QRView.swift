/// A QR code, two modules a cell, dark on light whatever the terminal's colours. Nothing where it cannot be drawn: what it says
/// stands beside it as text.
public struct QRView: Component {
    /// Light modules around it, as cameras want them.
    private static let quiet = 2

    private let text: String
    private let code: QRCode?

    /// The code of a text; nothing of one that is too long.
    public init(_ text: String) { (self.text, code) = (text, QRCode(text)) }

    /// The code, where it fits.
    public func lines(_ layout: Layout) -> [Line] {
        guard let code, layout.hasUnicode, code.side + 2 * Self.quiet <= layout.inner else { return [] }
        let span = -Self.quiet..<(code.side + Self.quiet)
        return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
            Line(
                String(
                    span.map { column -> Character in
                        switch (code.isDark(column, row), code.isDark(column, row + 1)) {
                        case (true, true): "█"
                        case (true, false): "▀"
                        case (false, true): "▄"
                        case (false, false): " "
                        }
                    }), .paper)
        }
    }

    /// What it says.
    public func plain() -> [String] { ["code to scan: \(TerminalText.escaped(text))"] }
}
