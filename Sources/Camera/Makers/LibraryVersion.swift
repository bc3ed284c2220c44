/// A version of libgphoto2, compared by number: 2.5.9 is older than 2.5.30, and 2.5 is 2.5.0.
public struct LibraryVersion: Hashable, Comparable, Sendable {
    private let parts: [Int]

    /// Parses the numbers at the start of a version, for example `2.5.30`, `2.5.34.1` or `2.5.31-4`. Suffixes
    /// of a distribution or a snapshot are ignored.
    ///
    /// - Returns: `nil` if the text does not start with a number.
    public init?(_ text: String) {
        var parts: [Int] = []
        for word in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = word.prefix { ("0"..."9").contains($0) }
            guard let number = Int(digits) else { break }
            parts.append(number)
            guard digits.count == word.count else { break }
        }
        guard !parts.isEmpty else { return nil }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    /// Whether the left version is the older one.
    public static func < (left: Self, right: Self) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
