/// The contrast of text with its background.
public enum Contrast: String, CaseIterable, Sendable {
    /// WCAG AA, a ratio of 4.5 to 1.
    case usual
    /// WCAG AAA, a ratio of 7 to 1, without dimmed text. For bright surroundings, dim displays and low
    /// vision.
    case more
}
