/// The hierarchy of texts. Fonts are the terminal's; weight and space carry it.
public enum TypeRole: CaseIterable, Equatable, Sendable {
    /// What the whole screen is about: bold.
    case pageTitle
    /// What a part of it is about: bold.
    case section
    /// Text.
    case primary
    /// What people look for in a row: bold.
    case emphasised
    /// Text beside it: dim.
    case caption
    /// Text that matters less: dim and italic.
    case tertiary
    /// A small label, `[label]`: dim.
    case label

    /// How much a text stands out.
    enum Weight { case normal, strong, weak, weakest }

    /// What carries the role on a terminal.
    var weight: Weight {
        switch self {
        case .pageTitle, .section, .emphasised: .strong
        case .primary: .normal
        case .caption, .label: .weak
        case .tertiary: .weakest
        }
    }

    /// The text as a piece of a line; a label has its brackets.
    public func span(_ text: String) -> Span { Span(self == .label ? "[\(text)]" : text, .text(self)) }
}
