/// A password, key or token. Its text never appears in a description, a dump or a log.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Creates a secret from its clear text.
    public init(_ text: String) {
        self.text = text
    }

    /// A fixed text that hides the secret.
    public var description: String { "(secret)" }
    /// A fixed text that hides the secret.
    public var debugDescription: String { "(secret)" }
    /// An empty mirror, which hides the secret from dumps.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
