import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import NIOCore

extension Response {
    /// Returns a response with one frame.
    static func picture(_ picture: LivePicture) -> Response {
        let buffer = ByteBuffer(bytes: picture.jpeg)
        return Response(
            status: .ok,
            headers: [
                .contentType: LivePicture.contentType, .contentLength: String(buffer.readableBytes),
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: buffer))
    }

    /// The number of bytes that are read from a file at a time.
    private static let pieceBytes = 256 * 1_024

    /// Returns a response with a picture of a shot or with one part of it. The response has no body if the
    /// client already has the picture, or if the requested range contains no byte of it.
    ///
    /// - Parameter request: The headers of the request.
    static func shotPicture(
        _ picture: ShotPicture, to request: HTTPFields
    ) async throws(ControlError) -> Response {
        if picture.isKnown(ifNoneMatch: request[.ifNoneMatch]) {
            var response = Response(status: .notModified, headers: headers(of: picture, picture.revision))
            response.headers[.contentLength] = nil
            return response
        }
        let content = try await picture.load()
        var fields = headers(of: picture, content.revision)
        fields[.acceptRanges] = "bytes"
        let length = content.body.length
        let requested = RequestedBytes(
            range: request[.range], ifRange: request[.ifRange],
            entityTag: ShotPicture.entityTag(content.revision), length: length)
        var (status, bytes) = (HTTPResponse.Status.ok, 0..<length)
        switch requested {
        case .all: break
        case .part(let part):
            (status, bytes) = (.partialContent, part)
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
        case .outside:
            fields[.contentRange] = "bytes */\(length)"
            fields[.cacheControl] = "no-store"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        fields[.contentType] = ShotPicture.contentType
        fields[.contentLength] = String(bytes.count)
        return Response(status: status, headers: fields, body: body(content.body, bytes))
    }

    private static func body(_ content: ShotPicture.Content.Body, _ range: Range<Int>) -> ResponseBody {
        switch content {
        case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[range]))
        case .file(_, let read): body(range, read)
        }
    }

    /// Returns a body that reads a file while the body is sent. If the file is shorter than the announced
    /// length, the connection closes early.
    private static func body(
        _ range: Range<Int>,
        _ read: @escaping @Sendable (_ offset: Int, _ countMax: Int) async throws -> [UInt8]
    ) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let piece = try await read(offset, min(pieceBytes, range.upperBound - offset))
                guard !piece.isEmpty else { throw ControlError(.internal, "the file of a shot is too short") }
                try await writer.write(ByteBuffer(bytes: piece))
                offset += piece.count
            }
            try await writer.finish(nil)
        }
    }

    private static func headers(of picture: ShotPicture, _ revision: String) -> HTTPFields {
        [.eTag: ShotPicture.entityTag(revision), .cacheControl: picture.cacheControl(revision)]
    }

    /// Returns a response that streams frames. The response requests a frame only after the channel's buffer
    /// has space again. A slow client therefore skips frames. The reason for the end is in a trailer, which
    /// image viewers ignore.
    static func pictures(_ pictures: LivePictures) -> Response {
        let body = ResponseBody { writer in
            var picture = pictures.first
            while !Task.isCancelled {
                try await writer.write(part(picture))
                do throws(ControlError) { picture = try await pictures.next() } catch {
                    return try await writer.finish(trailers(error))
                }
            }
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [.contentType: LivePictures.contentType, .cacheControl: "no-store"]
        headers[.trailer] = LivePictures.errorField
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func trailers(_ error: ControlError) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in LivePictures.trailers(error) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    private static func part(_ picture: LivePicture) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString(
            "--\(LivePictures.boundary)\r\nContent-Type: \(LivePicture.contentType)\r\nContent-Length: \(picture.jpeg.count)\r\n\r\n"
        )
        buffer.writeBytes(picture.jpeg)
        buffer.writeStaticString("\r\n")
        return buffer
    }
}
