/// The identity of one thing: a plain value that is the same in the ledger, on the wire and in every module.
///
/// Each kind of thing has its own type, which prevents the use of another kind's id, or of a name, in its
/// place. The encoded form is the raw value.
public protocol Identity: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible
where RawValue: Codable & Hashable & Comparable & Sendable & LosslessStringConvertible {
    /// Creates an identity from the value in the ledger, on the wire or in the configuration.
    init(rawValue: RawValue)
}

extension Identity {
    /// Compares the raw values.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    /// The raw value as text.
    public var description: String { rawValue.description }
}
