/// A QR code for a phone's camera, with its light border.
///
/// With Unicode, a line shows two rows of modules. The code is omitted if it does not fit.
public struct QRCodeView: Component {
    /// The number of light modules around the code, as the standard requires.
    private static let border = 4

    /// The text of the code.
    public let text: String
    private let code: QRCode?

    /// Creates a view. A text that is longer than ``QRCode/bytesMax`` has no code.
    public init(_ text: String) {
        self.text = text
        code = QRCode(text)
    }

    /// Returns the lines of the code, or no lines if the code does not fit.
    public func lines(_ layout: Layout) -> [Line] {
        guard let code else { return [] }
        let range = -Self.border..<(code.size + Self.border)
        guard range.count * (layout.hasUnicode ? 1 : 2) <= layout.inner else { return [] }
        let rows = stride(from: range.lowerBound, to: range.upperBound, by: layout.hasUnicode ? 2 : 1)
        return rows.map { y in
            let cells = range.map { x -> String in
                let (upper, lower) = (code.isDark(x, y), code.isDark(x, y + 1))
                guard layout.hasUnicode else { return String(repeating: upper ? "#" : Self.light, count: 2) }
                return switch (upper, lower) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): Self.light
                }
            }
            return Line(cells.joined(), .printed)
        }
    }

    /// A light module.
    private static let light = Cells.padded("", 1)

    /// Returns the text of the code.
    public func plain() -> [String] { [TerminalText.escaped(text)] }
}
