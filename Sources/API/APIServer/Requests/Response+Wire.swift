import FoundationEssentials
package import FrameFastAPI
package import HTTPTypes
package import HummingbirdCore
import NIOCore

extension Response {
    /// Returns a reply as JSON on one line.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) throws(ControlError) -> Response {
        try json(status: status) { try WireCoder.encode(value) }
    }

    /// Returns a response with the encoded JSON and a line break.
    static func json(
        status: HTTPResponse.Status, _ encode: () throws -> Data
    ) throws(ControlError) -> Response {
        do {
            var buffer = ByteBuffer(bytes: try encode())
            buffer.writeStaticString("\n")
            return Response(buffer, type: "application/json", status: status)
        } catch {
            throw ControlError(.internal, "cannot write the response")
        }
    }

    /// Returns a text document.
    static func text(_ text: String, type: String) -> Response {
        Response(ByteBuffer(string: text), type: type, status: .ok)
    }

    /// Returns a response with the status and the body of an error.
    package static func error(_ error: ControlError) -> Response {
        let status = HTTPResponse.Status(code: error.code.httpStatus)
        let body = try? json(ErrorReply(error), status: status)
        return body ?? Response(status: status)
    }

    private init(_ body: ByteBuffer, type: String, status: HTTPResponse.Status) {
        self.init(
            status: status,
            headers: [
                .contentType: type, .contentLength: String(body.readableBytes), .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: body))
    }
}
