/// The levels in the hierarchy of texts. The terminal shows the level by weight and space, and the web page
/// by weight and size.
public enum TypeRole: CaseIterable, Equatable, Sendable {
    /// The title of a screen. Bold.
    case pageTitle
    /// The heading of a section: bold.
    case section
    /// Ordinary text.
    case primary
    /// The main text of a row: bold.
    case emphasised
    /// A caption: dim.
    case caption
    /// Less important text: dim and italic.
    case tertiary
    /// A small label, `[label]`: dim.
    case label

    /// The font size on the web page, in hundredths of the browser's font size.
    public var sizePercent: Int {
        switch self {
        case .pageTitle: 125
        case .section: 112
        case .primary, .emphasised, .tertiary: 100
        case .caption: 88
        case .label: 75
        }
    }
}
