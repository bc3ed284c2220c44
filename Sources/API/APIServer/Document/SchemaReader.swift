import Foundation
import FrameFastAPI

/// A reader that derives the schemas of wire types by decoding and encoding sample values. A new property of
/// a type is therefore part of the type's schema automatically.
final class SchemaReader {
    /// A reason why the schema of a type cannot be derived.
    struct Unreadable: Error, CustomStringConvertible {
        var description: String
    }

    /// The schemas read so far, by name.
    private(set) var schemas: [String: WireSchema] = [:]

    /// Returns the schema of a type, and stores the schemas of all types that the type refers to.
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
                let declaration = type.fields.first { $0.name == property }
                schema.fields.append(
                    .init(
                        key: Self.key(property), kind: kind, isRequired: true, isNullable: false,
                        declaration: declaration
                    ))
            }
            let bare = try type.init(from: SchemaDecoder(reader: self, isFull: false, variant: word))
            let written = try JSONDecoder().decode([String: IsNull].self, from: WireCoder.encode(bare))
            always = always.map { $0.intersection(written.keys) } ?? Set(written.keys)
            nulls.formUnion(written.filter(\.value.isNull).keys)
        }
        let unknown = (always ?? []).subtracting(schema.fields.map(\.key))
        guard unknown.isEmpty else {
            throw Unreadable(description: "\(name) encodes \(unknown.sorted()), but does not decode it")
        }
        for index in schema.fields.indices {
            let key = schema.fields[index].key
            schema.fields[index].isRequired = always?.contains(key) == true
            // A field that may be missing may also be `null`. This rule does not apply to a type with
            // variants, in which a field may be missing because only some variants have it.
            let isOptional = variants == nil && !schema.fields[index].isRequired
            schema.fields[index].isNullable = nulls.contains(key) || isOptional
        }
        if let variants, let index = schema.fields.firstIndex(where: { $0.key == variants.variantKey }) {
            schema.fields[index].kind = .word(variants.variants)
        }
        for declaration in type.fields
        where !schema.fields.contains(where: { $0.declaration?.name == declaration.name }) {
            throw Unreadable(description: "\(name) has no field '\(declaration.name)'")
        }
        schemas[name] = schema
        return schema
    }

    /// Returns the type's name without its module: `TriggerReplyRefusal`.
    static func name(of type: any WireValue.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined()
    }

    /// Returns the JSON key that the coder writes for a property.
    static func key(_ property: String) -> String {
        property.reduce(into: "") { key, letter in
            if letter.isUppercase, !key.isEmpty { key.append("_") }
            key += letter.lowercased()
        }
    }

    /// Returns the kind of a value of a wire type.
    func kind(of type: any Decodable.Type) throws -> WireSchema.Kind {
        switch type {
        case is String.Type: return .text
        case is Bool.Type: return .flag
        case is Date.Type: return .time
        case is any BinaryInteger.Type: return .integer
        case is any BinaryFloatingPoint.Type: return .number
        case let identity as any Identity.Type: return try kind(of: Self.raw(of: identity))
        case is CameraReference.Type: return .text
        case let word as any WordType.Type: return .word(word.words)
        case let list as any ListType.Type: return .list(try kind(of: list.element))
        case let optional as any OptionalType.Type: return .optional(try kind(of: optional.wrapped))
        case is [String: String].Type: return .texts
        case let object as any WireValue.Type: return .object(try read(object).name)
        default: throw Unreadable(description: "\(type) is not a wire type")
        }
    }

    private static func raw<ID: Identity>(of type: ID.Type) -> any Decodable.Type { ID.RawValue.self }

    /// Whether a value is `null`.
    private struct IsNull: Decodable {
        var isNull: Bool
        init(from decoder: any Decoder) throws { isNull = try decoder.singleValueContainer().decodeNil() }
    }
}

/// An array type, without its generic parameter.
protocol ListType {
    static var element: any Decodable.Type { get }
    init()
}

extension Array: ListType where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
}

/// An optional element of a list, without its generic parameter.
protocol OptionalType {
    static var wrapped: any Decodable.Type { get }
}

extension Optional: OptionalType where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
}

/// A ``Word`` type, without its generic parameter.
protocol WordType {
    /// The values that this build knows, in the order of the OpenAPI document.
    static var words: [String] { get }
    init(text: String)
}

extension Word: WordType {
    static var words: [String] { Known.allCases.map(\.rawValue) }
}
