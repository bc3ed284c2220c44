import Foundation
import FrameFastAPI

/// A decoder that supplies a sample value for each field that a type decodes, and logs the fields.
final class SchemaDecoder: Decoder {
    /// The decoded fields, in order.
    final class Log {
        var fields: [(property: String, kind: WireSchema.Kind)] = []
    }

    let log = Log()
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let reader: SchemaReader
    private let isFull: Bool
    private let variant: (key: String, word: String)?

    /// Creates a decoder for one type.
    ///
    /// - Parameters:
    ///   - isFull: Whether optional fields have a value.
    ///   - variant: The key of the field that selects the variant, and its value, or `nil` for a type without
    ///     variants.
    init(reader: SchemaReader, isFull: Bool, variant: (key: String, word: String)?) {
        self.reader = reader
        self.isFull = isFull
        self.variant = variant
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw SchemaReader.Unreadable(description: "a list cannot be a body")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw SchemaReader.Unreadable(description: "a single value cannot be a body")
    }

    private func value<Value: Decodable>(_ type: Value.Type, _ key: any CodingKey) throws -> Value {
        log.fields.append((key.stringValue, try reader.kind(of: type)))
        if let variant, variant.key == key.stringValue, let word = variant.word as? Value { return word }
        return try sample(type)
    }

    /// Returns a sample value of a type.
    private func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let some: Any
        switch type {
        case is String.Type: some = ""
        case is Bool.Type: some = false
        case is Date.Type: some = Date(timeIntervalSince1970: 0)
        case let number as any BinaryInteger.Type: some = zero(number)
        case let number as any BinaryFloatingPoint.Type: some = zero(number)
        case let identity as any Identity.Type: some = try sample(of: identity)
        case is CameraReference.Type: some = CameraReference(rawValue: "")
        case let word as any WordType.Type: some = word.init(text: "")
        case let list as any ListType.Type: some = list.init()
        case is [String: String].Type: some = [String: String]()
        case let object as any WireValue.Type:
            let word = (object as? any WireVariants.Type).map { ($0.variantKey, $0.variants.first ?? "") }
            some = try object.init(from: SchemaDecoder(reader: reader, isFull: isFull, variant: word))
        default: throw SchemaReader.Unreadable(description: "\(type) is not a wire type")
        }
        guard let value = some as? Value else {
            throw SchemaReader.Unreadable(description: "\(type) is not a wire type")
        }
        return value
    }

    private func sample<ID: Identity>(of type: ID.Type) throws -> ID {
        ID(rawValue: try sample(ID.RawValue.self))
    }

    private func zero<Number: Numeric>(_ type: Number.Type) -> Number { .zero }

    private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: SchemaDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { decoder.isFull }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.value(type, key) }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder.value(type, key) }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder.value(type, key) }
        func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder.value(type, key) }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.value(type, key) }
        func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder.value(type, key) }
        func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder.value(type, key) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder.value(type, key) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder.value(type, key) }
        func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder.value(type, key) }
        func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder.value(type, key) }
        func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder.value(type, key) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder.value(type, key) }
        func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder.value(type, key) }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.value(type, key)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder.unkeyedContainer()
        }
        func superDecoder() throws -> any Decoder { decoder }
        func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
    }
}
