/// A password, key or token. Its text never appears in a description, a dump or a log.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// A fixed text that hides the secret.
    var description: String { "(secret)" }
    /// A fixed text that hides the secret.
    var debugDescription: String { "(secret)" }
    /// An empty mirror, which hides the secret from dumps.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
