package import FrameFastAPI
import HTTPTypes
package import HummingbirdCore
import NIOCore

extension Response {
    /// One frame.
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

    /// A picture that may be kept for as long as its address is the same.
    package static func still(_ picture: StillPicture) -> Response {
        let buffer = ByteBuffer(bytes: picture.jpeg)
        return Response(
            status: .ok,
            headers: [
                .contentType: StillPicture.contentType, .contentLength: String(buffer.readableBytes),
                .cacheControl: "private, max-age=31536000", .eTag: "\"\(picture.version)\"",
            ],
            body: ResponseBody(byteBuffer: buffer))
    }

    /// Frames one after the other: the next is asked for when the last has gone out, so a client that is slow misses frames.
    static func pictures(_ pictures: LivePictures) -> Response {
        let body = ResponseBody { writer in
            var next: LivePicture? = pictures.first
            while let picture = next, !Task.isCancelled {
                try await writer.write(part(picture))
                next = await pictures.next()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: LivePictures.contentType, .cacheControl: "no-store"],
            body: body)
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
