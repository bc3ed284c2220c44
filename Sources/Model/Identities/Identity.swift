/// A typed identifier. Its raw value is the same in the ledger, on the wire and in every module.
///
/// Each kind of object has its own identifier type. The compiler thus rejects plain names and ids of another
/// kind. The encoded form is the raw value.
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
