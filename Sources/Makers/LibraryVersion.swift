/// A version of libgphoto2, compared by number: 2.5.9 is older than 2.5.30.
struct LibraryVersion: Comparable {
    private let parts: [Int]

    /// Reads `2.5.30`; what is not a number counts as 0.
    init(_ text: String) { parts = text.split(separator: ".").map { Int($0) ?? 0 } }

    static func < (left: Self, right: Self) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}
