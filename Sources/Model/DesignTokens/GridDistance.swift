/// The distances of the interface, on a grid of 4 points.
public enum GridDistance: String, CaseIterable, Sendable {
    /// Between a symbol and its word.
    case xs
    /// Between parts of one fact.
    case sm
    /// Between columns.
    case md
    /// The margin.
    case base
    /// Between sections.
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
    /// Of a small label.
    case sm
    /// Of a button or a field.
    case md
    /// Of a card.
    case lg
    /// Of a round button.
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
