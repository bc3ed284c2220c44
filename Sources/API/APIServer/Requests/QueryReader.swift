import FoundationEssentials
import FrameFastAPI
import TextForms

/// A strict parser that reads a query by the schema of the request type. An unknown, repeated or unreadable
/// parameter is an error that names the parameter.
enum QueryReader {
    static func decode<Query: WireRequest>(
        _ type: Query.Type, from query: String?
    ) throws(ControlError) -> Query {
        do {
            let schema = try SchemaReader().read(type)
            var values = try values(of: query, schema)
            for field in schema.fields where values[field.key] == nil {
                if let value = field.declaration?.defaultValue { values[field.key] = .number(value) }
                if case .list = field.kind, field.isRequired {
                    values[field.key] = values[field.key] ?? .list([])
                }
            }
            return try WireCoder.decode(type, from: WireCoder.encode(values))
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError(.badRequest, "cannot read the query: \(error)")
        }
    }

    private static func values(of query: String?, _ schema: WireSchema) throws(ControlError) -> [String:
        QueryValue]
    {
        var values: [String: QueryValue] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(parts[0]),
                let text = PercentCoding.decode(parts.count == 2 ? parts[1] : "")
            else {
                throw ControlError(
                    .badRequest, "cannot read the query: '\(pair)' is not percent-encoded UTF-8")
            }
            guard let field = schema.fields.first(where: { $0.key == name }) else {
                let names = schema.fields.map(\.key)
                let choice = names.isEmpty ? "has no parameters" : "takes " + names.joined(separator: ", ")
                throw ControlError(
                    .badRequest, "cannot read the query: unknown parameter '\(name)', this path \(choice)")
            }
            guard values.updateValue(try value(text, of: field), forKey: name) == nil else {
                throw ControlError(.badRequest, "cannot read the query: '\(name)' is given twice")
            }
        }
        return values
    }

    private static func value(_ text: String, of field: WireSchema.Field) throws(ControlError) -> QueryValue {
        switch field.kind {
        case .integer:
            let range = field.declaration?.range ?? Int64.min...Int64.max
            guard let number = Int64(text), range.contains(number) else {
                throw ControlError(
                    .badRequest,
                    "cannot read the query: '\(field.key)' must be a number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return .number(number)
        case .flag:
            guard let flag = Bool(text) else {
                throw ControlError(.badRequest, "cannot read the query: '\(field.key)' must be true or false")
            }
            return .flag(flag)
        case .list:
            return .list(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        case .text, .word, .time, .number, .object, .texts, .optional: return .text(text)
        }
    }
}
