/// Who or what one thing is: one plain value, the same in the ledger, on the wire and in every room.
///
/// Each kind of thing has a type of its own, so that the id of another kind, or a name, cannot be given in its place. In JSON
/// and in the ledger it is its raw value.
public protocol Identity: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible
where RawValue: Codable & Hashable & Comparable & Sendable & LosslessStringConvertible {
    /// Takes the value that the ledger, the wire or the configuration holds for it.
    init(rawValue: RawValue)
}

extension Identity {
    /// By their raw values.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    /// The raw value as text.
    public var description: String { rawValue.description }
}
