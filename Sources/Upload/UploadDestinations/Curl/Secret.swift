/// A password, key or token: it can be used, and never shows in a description, a dump or a log.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Keeps a secret.
    public init(_ text: String) {
        self.text = text
    }

    /// Always the same word.
    public var description: String { "(secret)" }
    /// Always the same word.
    public var debugDescription: String { "(secret)" }
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
