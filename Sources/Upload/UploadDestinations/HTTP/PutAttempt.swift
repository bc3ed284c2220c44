/// A record of an earlier attempt to put a photo under a name, stored for the next attempt.
struct PutAttempt: Hashable {
    /// The name that the attempt used.
    var name: String
    /// The entity tag of an upload that arrived changed, or `nil` if the result of the attempt is unknown. A
    /// file that still has this tag is ours, and may be replaced.
    var arrivedAs: String?

    init(name: String, arrivedAs: String? = nil) {
        self.name = name
        self.arrivedAs = arrivedAs
    }

    /// Parses ``text``. Returns `nil` for a resume point of another upload method.
    init?(_ text: String) {
        guard text.hasPrefix(Self.verb) else { return nil }
        let lines = text.dropFirst(Self.verb.count).split(separator: "\n", omittingEmptySubsequences: false)
        name = String(lines[0])
        arrivedAs = lines.count > 1 ? String(lines[1]) : nil
    }

    /// The stored text. It needs no escaping: no remote name and no tag contains a line break
    /// (``RemoteName/check(_:)``).
    var text: String { Self.verb + name + (arrivedAs.map { "\n" + $0 } ?? "") }

    private static let verb = "put "
}
