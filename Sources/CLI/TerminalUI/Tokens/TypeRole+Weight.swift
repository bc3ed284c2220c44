extension TypeRole {
    /// The emphasis of a text.
    enum Weight { case normal, strong, weak, weakest }

    /// The emphasis that shows the role. The font is the choice of the terminal.
    var weight: Weight {
        switch self {
        case .pageTitle, .section, .emphasised: .strong
        case .primary: .normal
        case .caption, .label: .weak
        case .tertiary: .weakest
        }
    }
}
