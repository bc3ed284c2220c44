import FoundationEssentials

/// The value of a query parameter, with conversions from and to JSON, and to the text in the URL.
public enum QueryValue: Codable, Sendable {
    /// A text.
    case text(String)
    /// A number.
    case number(Int64)
    /// A boolean.
    case flag(Bool)
    /// A list of texts, separated by commas.
    case list([String])

    /// Decodes a value from JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    /// Encodes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let texts): try container.encode(texts)
        }
    }

    /// The text in the URL, not yet percent-encoded, or `nil` for an empty list.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let texts): texts.isEmpty ? nil : texts.joined(separator: ",")
        }
    }

    /// Returns the parameters of a query, sorted by name. Omits parameters without a value.
    public static func pairs(of query: some WireRequest) throws -> [(name: String, value: String)] {
        let values = try JSONDecoder().decode([String: QueryValue].self, from: WireCoder.encode(query))
        return values.compactMap { name, value in value.text.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }
}
