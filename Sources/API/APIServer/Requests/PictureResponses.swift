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

    /// Returns a response that streams frames. The response requests a frame only after it has sent the
    /// previous frame. A slow client therefore skips frames. The reason for the end is in a trailer, which
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
