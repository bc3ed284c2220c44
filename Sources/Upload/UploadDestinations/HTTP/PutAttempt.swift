/// The name and the result of an attempt to store a photo. The next attempt reads this record.
struct PutAttempt: Hashable {
    /// The name that the attempt used.
    var name: String
    /// The entity tag of a copy that differs from the photo, or `nil` if the result of the attempt is
    /// unknown. A file with this tag belongs to this upload, so the upload may replace the file.
    var copyTag: String?

    init(name: String, copyTag: String? = nil) {
        self.name = name
        self.copyTag = copyTag
    }

    /// Parses ``text``. Returns `nil` for the resume point of another method.
    init?(_ text: String) {
        guard text.hasPrefix(Self.verb) else { return nil }
        let lines = text.dropFirst(Self.verb.count).split(separator: "\n", omittingEmptySubsequences: false)
        name = String(lines[0])
        copyTag = lines.count > 1 ? String(lines[1]) : nil
    }

    /// The text for storage. The text needs no escapes, because names and tags contain no line breaks
    /// (``RemoteName/check(_:)``).
    var text: String { Self.verb + name + (copyTag.map { "\n" + $0 } ?? "") }

    private static let verb = "put "
}
