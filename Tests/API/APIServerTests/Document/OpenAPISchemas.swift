import FrameFastAPI

@testable import APIServer

/// The `schemas` of ``OpenAPIDocument``, in JSON Schema.
enum OpenAPISchemas {
    static func node(_ schema: WireSchema) -> DocumentNode {
        var pairs: [(key: String, value: DocumentNode)] = [("type", "object")]
        if !schema.summary.isEmpty { pairs.append(("description", .text(schema.summary))) }
        let required = schema.fields.filter(\.isRequired).map(\.key)
        if !required.isEmpty { pairs.append(("required", .list(required.map { .text($0) }))) }
        if !schema.fields.isEmpty {
            pairs.append(("properties", .map(schema.fields.map { ($0.key, node($0)) })))
        }
        return .map(pairs)
    }

    static func reference(_ name: String) -> DocumentNode {
        ["$ref": .text("#/components/schemas/\(name)")]
    }

    /// Returns the schema of a field or a query parameter. A query parameter cannot be `null`.
    static func node(_ field: WireSchema.Field, isParameter: Bool = false) -> DocumentNode {
        let isNullable = field.isNullable && !isParameter
        if case .object(let name) = field.kind {
            return isNullable ? ["anyOf": [reference(name), ["type": "null"]]] : reference(name)
        }
        var pairs = kind(field.kind, isNullable: isNullable)
        guard let declaration = field.declaration else { return .map(pairs) }
        if let range = declaration.range {
            pairs.append(("minimum", .integer(range.lowerBound)))
            if range.upperBound < Int64.max { pairs.append(("maximum", .integer(range.upperBound))) }
        }
        if let length = declaration.length {
            if length.lowerBound > 0 { pairs.append(("minLength", .integer(Int64(length.lowerBound)))) }
            pairs.append(("maxLength", .integer(Int64(length.upperBound))))
        }
        if let count = declaration.count {
            pairs.append(("minItems", .integer(Int64(count.lowerBound))))
            pairs.append(("maxItems", .integer(Int64(count.upperBound))))
        }
        if let value = declaration.defaultValue { pairs.append(("default", .integer(value))) }
        if !declaration.examples.isEmpty {
            pairs.append(("examples", .list(declaration.examples.map { .text($0) })))
        }
        if !declaration.description.isEmpty {
            pairs.append(("description", .text(declaration.description)))
        }
        return .map(pairs)
    }

    private static func kind(_ kind: WireSchema.Kind, isNullable: Bool) -> [(
        key: String, value: DocumentNode
    )] {
        func type(_ name: String) -> (key: String, value: DocumentNode) {
            ("type", isNullable ? [.text(name), "null"] : .text(name))
        }
        switch kind {
        case .text: return [type("string")]
        case .flag: return [type("boolean")]
        case .integer: return [type("integer"), ("format", "int64")]
        case .number: return [type("number")]
        case .time: return [type("string"), ("format", "date-time")]
        case .word(let words): return [type("string"), ("examples", .list(words.map { .text($0) }))]
        case .object(let name): return [("$ref", .text("#/components/schemas/\(name)"))]
        case .texts: return [type("object"), ("additionalProperties", ["type": "string"])]
        case .optional(let value): return Self.kind(value, isNullable: true)
        case .list(let element):
            return [type("array"), ("items", .map(Self.kind(element, isNullable: false)))]
        }
    }
}
