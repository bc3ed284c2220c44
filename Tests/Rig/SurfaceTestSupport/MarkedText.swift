public import TerminalUI

extension Line {
    /// The text with marks for roles other than ordinary text, for example `<danger>✗</> studio-a`. Trailing
    /// spaces are removed.
    ///
    /// Golden files of screens have this format. `palettes.txt` lists the terminal codes of each role.
    public var marked: String {
        var spans = self.spans
        while let last = spans.last, last.text.allSatisfy(\.isWhitespace) { spans.removeLast() }
        return spans.map { $0.role == .primary ? $0.text : "<\($0.role.name)>\($0.text)</>" }.joined()
    }
}

extension Span.Role {
    /// The name in golden files.
    public var name: String {
        switch self {
        case .text(let role): "\(role)"
        case .accent: "accent"
        case .tone(let tone): tone.word
        case .printed: "printed"
        }
    }
}
