/// The colors of the web page's text, surfaces and edges. The terminal keeps the user's own background and
/// text color.
public enum PageColor: String, CaseIterable, Sendable {
    /// Ordinary text.
    case primaryText = "text-primary"
    /// Text on the accent color.
    case accentText = "on-accent"
    /// The page.
    case base = "surface-base"
    /// A card or a bar on the page.
    case card = "surface-card"
    /// A button or a field.
    case raised = "surface-raised"
    /// The surroundings of a large photo. People judge photos best on a dark gray without a tint.
    case viewer = "surface-viewer"
    /// An edge.
    case border

    /// The color on a light page, as `0xRRGGBB`.
    public var light: UInt32 {
        switch self {
        case .primaryText: 0x111827
        case .accentText: 0xFFFFFF
        case .base: 0xF7F8FA
        case .card: 0xFFFFFF
        case .raised: 0xEEF0F3
        case .viewer: 0x262626
        case .border: 0xD1D5DB
        }
    }

    /// The color on a dark page, as `0xRRGGBB`.
    public var dark: UInt32 {
        switch self {
        case .primaryText: 0xF3F4F6
        case .accentText: 0x0F1115
        case .base: 0x0F1115
        case .card: 0x171A20
        case .raised: 0x20242C
        case .viewer: 0x262626
        case .border: 0x3A404B
        }
    }

    /// The color next to a large photo, as `0xRRGGBB`: like ``dark``, but with surfaces and edges without a
    /// tint.
    public var nextToPhoto: UInt32 {
        switch self {
        case .primaryText, .accentText, .viewer: dark
        case .base, .card: 0x1A1A1A
        case .raised: 0x2B2B2B
        case .border: 0x4A4A4A
        }
    }
}
