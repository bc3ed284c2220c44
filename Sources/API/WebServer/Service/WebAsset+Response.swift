import HTTPTypes
import HummingbirdCore
import NIOCore
import WebPage

extension WebAsset {
    /// Returns the file, or 304 if the browser has this content.
    func response(to request: HTTPRequest) -> Response {
        var headers: HTTPFields = [.cacheControl: cacheControl]
        if let entityTag {
            headers[.eTag] = entityTag
            if request.headerFields[.ifNoneMatch] == entityTag {
                return Response(status: .notModified, headers: headers)
            }
        }
        headers[.contentType] = contentType
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        return Response(status: .ok, headers: headers, body: body)
    }
}
