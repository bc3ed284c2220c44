import FoundationEssentials
package import FrameFastAPI
package import HummingbirdCore
import NIOCore

/// A reader of JSON request bodies, up to ``APIServerLimits/bodyBytesMax``.
package enum RequestBodyReader {
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request
    ) async throws(ControlError) -> Value {
        try await decodeAndKeep(type, from: request).value
    }

    /// Decodes a body, and returns the value and the body. The body of a request can be read only once.
    package static func decodeAndKeep<Value: Decodable>(
        _ type: Value.Type, from request: Request
    ) async throws(ControlError) -> (value: Value, body: RequestBody) {
        let buffer = try await collect(request)
        return (try decode(type, from: Data(buffer.readableBytesView)), RequestBody(buffer: buffer))
    }

    /// Decodes the body of a request. Refuses an unknown field, because a request with a misspelled filter or
    /// `dry_run` would otherwise change more than its client intends (kubernetes #5889).
    static func decodeStrictly<Input: WireRequest>(
        _ type: Input.Type, from request: Request
    ) async throws(ControlError) -> Input {
        let data = Data(try await collect(request).readableBytesView)
        let input = try decode(type, from: data)
        let (names, given): ([String], [String])
        do {
            names = try SchemaReader().read(type).fields.map(\.key)
            given = try JSONDecoder().decode([String: AnyValue].self, from: data).keys.sorted()
        } catch {
            throw ControlError(.badRequest, "cannot read the body: \(error)")
        }
        guard let unknown = given.first(where: { !names.contains($0) }) else { return input }
        let choice = names.joined(separator: ", ")
        throw ControlError(
            .badRequest, "cannot read the body: unknown field '\(unknown)', this path takes \(choice)")
    }

    /// A value of any type, which is not decoded.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func collect(_ request: Request) async throws(ControlError) -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: APIServerLimits.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw ControlError(
                .tooLong, "cannot accept a body of more than \(APIServerLimits.bodyBytesMax) bytes")
        } catch {
            throw ControlError(.badRequest, "cannot read the body")
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data
    ) throws(ControlError) -> Value {
        guard !data.isEmpty else {
            throw ControlError(.badRequest, "cannot read the body: it is empty, and must be JSON, such as {}")
        }
        do {
            return try WireCoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw ControlError(.badRequest, "cannot read the body: \(sentence(for: error))")
        } catch {
            throw ControlError(.badRequest, "cannot read the body: it is not JSON")
        }
    }

    private static func sentence(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has the wrong type"
        default: "it is not JSON"
        }
    }
}
