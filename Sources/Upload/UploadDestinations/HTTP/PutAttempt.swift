/// What an earlier attempt did under a name, as it is kept for the next one.
struct PutAttempt: Hashable {
    /// The name that was put, or tried.
    var name: String
    /// Entity tag of what the server took from us and made something else of; `nil` when it is not known what became of
    /// the attempt. Under the same tag it is still ours, and may be replaced.
    var arrivedAs: String?

    init(name: String, arrivedAs: String? = nil) {
        self.name = name
        self.arrivedAs = arrivedAs
    }

    /// Reads ``text``; `nil` for the words of another way.
    init?(_ text: String) {
        guard text.hasPrefix(Self.verb) else { return nil }
        let lines = text.dropFirst(Self.verb.count).split(separator: "\n", omittingEmptySubsequences: false)
        name = String(lines[0])
        arrivedAs = lines.count > 1 ? String(lines[1]) : nil
    }

    /// As it is kept with the job. No remote name and no tag has a line break (``RemoteName/check(_:)``).
    var text: String { Self.verb + name + (arrivedAs.map { "\n" + $0 } ?? "") }

    private static let verb = "put "
}
