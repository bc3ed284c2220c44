/// How far text stands out from its background.
public enum Contrast: String, CaseIterable, Sendable {
    /// WCAG AA: 4.5 to 1.
    case usual
    /// WCAG AAA: 7 to 1, and nothing is dimmed. For bright rooms, weak displays and weak eyes.
    case more
}
