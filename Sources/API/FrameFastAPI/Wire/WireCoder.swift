public import FoundationEssentials

/// The JSON coder of all values on the socket.
///
/// Keys are sorted and in snake_case. Times are ISO 8601 in UTC with milliseconds
/// (`2025-11-21T09:15:02.250Z`). Slashes are not escaped.
public enum WireCoder {
    /// Encodes a reply or request.
    ///
    /// - Parameter pretty: Whether to indent the JSON for people. With `false`, the JSON is one line.
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(of: date))
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(value)
    }

    /// Decodes a reply or request.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = WireTime.date(of: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "'\(text)' is not an ISO 8601 time in UTC")
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }
}

/// Formats and parses times on the wire.
public enum WireTime {
    /// Formats a time as ISO 8601 in UTC with milliseconds.
    public static func text(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Parses ISO 8601 with or without a fraction, or returns `nil` if the text is invalid.
    public static func date(of text: String) -> Date? {
        (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
