/// What a request does with a value: nothing when its field is left out; else what it says takes the value's place, and `null`
/// takes it away.
public enum FieldChange<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// It stays as it is.
    case keep
    /// It is this from now on; `nil` for nothing.
    case set(Value?)

    /// Reads a value or `null`; a field that is left out never comes here.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = .set(container.decodeNil() ? nil : try container.decode(Value.self))
    }

    /// Writes the value or `null`; one that stays is left out by whoever writes the fields.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .set(let value?) = self { try container.encode(value) } else { try container.encodeNil() }
    }

    /// Does it.
    public func apply(to value: inout Value?) {
        if case .set(let new) = self { value = new }
    }

    /// What the value is from now on; `nil` when that is nothing, and when it stays.
    public var value: Value? { if case .set(let value) = self { value } else { nil } }
}

extension KeyedDecodingContainer {
    /// Reads a value, `null` or a missing key.
    public func decode<Value>(_ type: FieldChange<Value>.Type, forKey key: Key) throws -> FieldChange<Value> {
        contains(key) ? .set(try decodeIfPresent(Value.self, forKey: key)) : .keep
    }
}

extension KeyedEncodingContainer {
    /// Writes a value, `null`, or nothing.
    public mutating func encode<Value>(_ change: FieldChange<Value>, forKey key: Key) throws {
        guard case .set(let value) = change else { return }
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }
}
