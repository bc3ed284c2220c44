import FoundationEssentials
import FrameFastAPI
import HummingbirdCore
import NIOCore

/// A reader of JSON request bodies, up to ``APIServerLimits/bodyBytesMax``.
enum RequestBodyReader {
    static func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request
    ) async throws(ControlError) -> Value {
        let data: Data
        do {
            let buffer = try await request.body.collect(upTo: APIServerLimits.bodyBytesMax)
            data = Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ControlError(
                .tooLong, "cannot accept a body of more than \(APIServerLimits.bodyBytesMax) bytes")
        } catch {
            throw ControlError(.badRequest, "cannot read the body")
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
