import CAPIDocument
import FrameFastAPI

extension OpenAPIText {
    /// The content of `docs/openapi.yaml`, which is embedded in the program. A test compares the file with
    /// the endpoints and the wire types.
    static let embedded: OpenAPIText = {
        var count = 0
        let start = framefast_api_document(&count)
        let bytes = UnsafeBufferPointer(start: start, count: count)
        return OpenAPIText(text: String(decoding: bytes, as: UTF8.self))
    }()
}
