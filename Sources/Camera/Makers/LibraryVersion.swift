/// A version of libgphoto2. Versions are compared by number: 2.5.9 is older than 2.5.30, and 2.5 equals
/// 2.5.0.
public struct LibraryVersion: Hashable, Comparable, Sendable {
    private let parts: [Int]

    /// Parses the numbers at the start of a version, for example `2.5.30`, `2.5.34.1` or `2.5.31-4`. Ignores
    /// suffixes of a distribution or a snapshot.
    ///
    /// - Returns: The version, or `nil` if the text does not start with a number.
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

    /// Returns whether the left version is older than the right version.
    public static func < (left: Self, right: Self) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
