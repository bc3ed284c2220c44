import FoundationEssentials

/// A value in a query: between the text of a URL and the JSON that the value's type reads and writes.
public enum QueryValue: Codable, Sendable {
    /// A text or a word.
    case text(String)
    /// A number.
    case number(Int64)
    /// Yes or no.
    case flag(Bool)
    /// Several texts; commas between them.
    case list([String])

    /// Reads a value of the wire.
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

    /// Writes a value of the wire.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let texts): try container.encode(texts)
        }
    }

    /// As it stands in the URL, not encoded yet; `nil` for a list without anything.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let texts): texts.isEmpty ? nil : texts.joined(separator: ",")
        }
    }

    /// The parameters of a query, by name; what is not given is left out.
    public static func pairs(of query: some WireRequest) throws -> [(name: String, value: String)] {
        let values = try JSONDecoder().decode([String: QueryValue].self, from: WireCoder.encode(query))
        return values.compactMap { name, value in value.text.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }
}
