/// A piece of text with what it means.
struct Span: Equatable {
    /// What a piece of text is; what it looks like is the style's affair.
    enum Role: Equatable {
        case plain, strong, dim, accent
        case tone(Tone)
    }

    let text: String
    let role: Role

    /// Takes text from anywhere: what could move a terminal's cursor becomes visible.
    init(_ text: String, _ role: Role = .plain) {
        self.text = TerminalText.escaped(text)
        self.role = role
    }

    var width: Int { Cells.width(text) }
}

/// One line of a screen.
struct Line: Equatable {
    var spans: [Span]

    init(_ spans: [Span] = []) { self.spans = spans }

    init(_ text: String, _ role: Span.Role = .plain) { spans = text.isEmpty ? [] : [Span(text, role)] }

    static let empty = Line()

    var width: Int { spans.reduce(0) { $0 + $1.width } }

    /// The line further to the right.
    func indented(_ cells: Int) -> Line {
        spans.isEmpty || cells <= 0 ? self : Line([Span(String(repeating: " ", count: cells))] + spans)
    }

    /// The line, not wider than `width`; a cut one ends in an ellipsis.
    func cut(to width: Int, _ layout: Layout) -> Line {
        guard self.width > width else { return self }
        var left = width
        var kept: [Span] = []
        for span in spans {
            guard span.width > left || (span.width == left && span != spans.last) else {
                kept.append(span)
                left -= span.width
                continue
            }
            kept.append(Span(Cells.cut(span.text, to: left, layout.ellipsis), span.role))
            break
        }
        return Line(kept)
    }
}

extension Style {
    /// A line as it goes to the terminal, without spaces at its end.
    func encode(_ line: Line) -> String {
        var spans = line.spans
        while let last = spans.last, last.text.allSatisfy({ $0 == " " }) { spans.removeLast() }
        return spans.map { span in
            switch span.role {
            case .plain: span.text
            case .strong: bold(span.text)
            case .dim: dim(span.text)
            case .accent: accent(span.text)
            case .tone(let tone): paint(span.text, tone)
            }
        }.joined()
    }

    /// Where a component may draw.
    func layout(height: Int = .max) -> Layout {
        Layout(width: columns ?? Layout.widthOffTerminal, height: height, hasUnicode: hasUnicode)
    }
}
