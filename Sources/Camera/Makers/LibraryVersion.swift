/// A version of libgphoto2, compared by number: 2.5.9 is older than 2.5.30.
public struct LibraryVersion: Comparable {
    private let parts: [Int]

    /// Reads `2.5.30`; what is not a number counts as 0.
    public init(_ text: String) { parts = text.split(separator: ".").map { Int($0) ?? 0 } }

    /// Whether the left version is the older one.
    public static func < (left: Self, right: Self) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
