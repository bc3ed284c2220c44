/// An optional that is written as `null` when empty, so that every reply has the same keys each time.
///
/// Reading takes a missing key for `null`.
@propertyWrapper
public struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The value, `nil` for `null`.
    public var wrappedValue: Value?

    /// Wraps a value.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Reads a value or `null`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes the value or `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Reads a value, `null` or a missing key.
    ///
    /// Asks for the value itself: each further type that a decoder meets costs it a search through all protocol
    /// conformances of the program, which the start-up of the command line would feel.
    public func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        OrNull(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}
