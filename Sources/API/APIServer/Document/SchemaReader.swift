import Foundation
import FrameFastAPI

/// Learns what wire types consist of by watching them decode and encode themselves: a property that is added to a type
/// is in its schema.
final class SchemaReader {
    /// Why a type cannot be learnt.
    struct Unreadable: Error, CustomStringConvertible {
        var description: String
    }

    /// What has been learnt, by name.
    private(set) var schemas: [String: WireSchema] = [:]

    /// The schema of a type; those that it refers to are learnt, too.
    @discardableResult
    func read(_ type: any WireValue.Type) throws -> WireSchema {
        let name = Self.name(of: type)
        if let known = schemas[name] { return known }
        let variants = type as? any WireVariants.Type
        var schema = WireSchema(name: name, summary: type.summary, fields: [])
        var always: Set<String>?
        var nulls: Set<String> = []
        for variant in variants?.variants ?? [""] {
            let word = variants.map { (key: $0.variantKey, word: variant) }
            let full = SchemaDecoder(reader: self, isFull: true, variant: word)
            _ = try type.init(from: full)
            for (property, kind) in full.log.fields
            where !schema.fields.contains(where: { $0.key == Self.key(property) }) {
                let words = type.fields.first { $0.name == property }
                schema.fields.append(
                    .init(
                        key: Self.key(property), kind: kind, isRequired: true, isNullable: false, words: words
                    ))
            }
            let bare = try type.init(from: SchemaDecoder(reader: self, isFull: false, variant: word))
            let written = try JSONDecoder().decode([String: IsNull].self, from: WireCoder.encode(bare))
            always = always.map { $0.intersection(written.keys) } ?? Set(written.keys)
            nulls.formUnion(written.filter(\.value.isNull).keys)
        }
        let unknown = (always ?? []).subtracting(schema.fields.map(\.key))
        guard unknown.isEmpty else {
            throw Unreadable(description: "\(name) writes \(unknown.sorted()) and does not read it")
        }
        for index in schema.fields.indices {
            let key = schema.fields[index].key
            schema.fields[index].isRequired = always?.contains(key) == true
            // What may be left out may be null as well. A kind's own value is there whenever its kind is.
            let isOptional = variants == nil && !schema.fields[index].isRequired
            schema.fields[index].isNullable = nulls.contains(key) || isOptional
        }
        if let variants, let index = schema.fields.firstIndex(where: { $0.key == variants.variantKey }) {
            schema.fields[index].kind = .word(variants.variants)
        }
        for words in type.fields where !schema.fields.contains(where: { $0.words?.name == words.name }) {
            throw Unreadable(description: "\(name) has no field '\(words.name)'")
        }
        schemas[name] = schema
        return schema
    }

    /// The type's name without its room: `TriggerReplyRefusal`.
    static func name(of type: any WireValue.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined()
    }

    /// A property's key as the coder writes it.
    static func key(_ property: String) -> String {
        property.reduce(into: "") { key, letter in
            if letter.isUppercase, !key.isEmpty { key.append("_") }
            key += letter.lowercased()
        }
    }

    /// The kind of a value of any type that the wire has.
    func kind(of type: any Decodable.Type) throws -> WireSchema.Kind {
        switch type {
        case is String.Type: return .text
        case is Bool.Type: return .flag
        case is Date.Type: return .time
        case is any BinaryInteger.Type: return .integer
        case is any BinaryFloatingPoint.Type: return .number
        case let identity as any Identity.Type: return try kind(of: Self.raw(of: identity))
        case is CameraReference.Type: return .text
        case let word as any WireWord.Type: return .word(Self.words(of: word))
        case let list as any ListType.Type: return .list(try kind(of: list.element))
        case is [String: String].Type: return .texts
        case let object as any WireValue.Type: return .object(try read(object).name)
        default: throw Unreadable(description: "\(type) is no type of the wire")
        }
    }

    private static func raw<ID: Identity>(of type: ID.Type) -> any Decodable.Type { ID.RawValue.self }

    private static func words<Word: WireWord>(of type: Word.Type) -> [String] { type.all.map(\.rawValue) }

    /// Whether a value is `null`.
    private struct IsNull: Decodable {
        var isNull: Bool
        init(from decoder: any Decoder) throws { isNull = try decoder.singleValueContainer().decodeNil() }
    }
}

/// A list of some elements.
protocol ListType {
    static var element: any Decodable.Type { get }
    init()
}

extension Array: ListType where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
}
