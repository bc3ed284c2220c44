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
        let buffer: ByteBuffer
        let data: Data
        do {
            buffer = try await request.body.collect(upTo: APIServerLimits.bodyBytesMax)
            data = Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ControlError(
                .tooLong, "cannot accept a body of more than \(APIServerLimits.bodyBytesMax) bytes")
        } catch {
            throw ControlError(.badRequest, "cannot read the body")
        }
        do {
            return (try WireCoder.decode(type, from: data), RequestBody(buffer: buffer))
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
