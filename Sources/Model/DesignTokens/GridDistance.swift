/// The distances of the interface, on a grid of 4 points.
public enum GridDistance: String, CaseIterable, Sendable {
    /// The distance between a symbol and its word.
    case xs
    /// The distance between parts of one fact.
    case sm
    /// The distance between columns.
    case md
    /// The margin of the page.
    case base
    /// The distance between sections.
    case lg

    /// The distance in points, which are pixels in a browser.
    public var points: Int {
        switch self {
        case .xs: 4
        case .sm: 8
        case .md: 12
        case .base: 16
        case .lg: 24
        }
    }
}

/// The radii of rounded corners.
public enum CornerRadius: String, CaseIterable, Sendable {
    /// The radius of a small label.
    case sm
    /// The radius of a button or a field.
    case md
    /// The radius of a card.
    case lg
    /// The radius of a round button.
    case pill

    /// The radius in points.
    public var points: Int {
        switch self {
        case .sm: 4
        case .md: 8
        case .lg: 12
        case .pill: 999
        }
    }
}

/// The timing of transitions.
public enum TransitionTime {
    /// The longest animation, in milliseconds.
    public static let limitMs = 200
    /// The duration of a transition on the web page, in milliseconds.
    public static let usualMs = 150
}
