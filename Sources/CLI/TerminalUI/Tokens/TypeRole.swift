/// The levels in the hierarchy of texts. The terminal chooses the font, so weight and space show the level.
public enum TypeRole: CaseIterable, Equatable, Sendable {
    /// The title of a screen: bold.
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

    /// The emphasis of a text.
    enum Weight { case normal, strong, weak, weakest }

    /// The emphasis that shows the role on a terminal.
    var weight: Weight {
        switch self {
        case .pageTitle, .section, .emphasised: .strong
        case .primary: .normal
        case .caption, .label: .weak
        case .tertiary: .weakest
        }
    }
}
