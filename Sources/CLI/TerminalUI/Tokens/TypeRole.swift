/// The hierarchy of texts. Fonts are the terminal's; weight and space carry it.
public enum TypeRole: CaseIterable, Sendable {
    /// What the whole screen is about: bold, with space below.
    case pageTitle
    /// What a part of it is about: bold.
    case section
    /// Text.
    case primary
    /// The one thing of a row that is looked for: bold.
    case emphasised
    /// What is said beside it: dim.
    case caption
    /// What is less: dim and italic.
    case tertiary
    /// `[label]`.
    case label

    /// The text as it is drawn.
    public func lines(_ text: String) -> [Line] {
        switch self {
        case .pageTitle: [Line(text, .strong)] + Array(repeating: .empty, count: Spacing.lgLines)
        case .section, .emphasised: [Line(text, .strong)]
        case .primary: [Line(text)]
        case .caption: [Line(text, .dim)]
        case .tertiary: [Line(text, .tertiary)]
        case .label: [Line("[\(text)]", .dim)]
        }
    }
}
