import CWebPage
import Crypto
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The files of the page, which are inside the program.
enum WebFiles {
    private struct File: Sendable {
        var bytes: ByteBuffer
        var type: String
        var tag: String
    }

    private static let all: [String: File] = {
        var files: [String: File] = [:]
        var index = 0
        while let name = framefast_page_name(index) {
            var count = 0
            let bytes = Array(UnsafeBufferPointer(start: framefast_page_file(index, &count), count: count))
            let text = String(cString: name)
            let tag = SHA256.hash(data: bytes).prefix(8).map { String($0, radix: 16) }.joined()
            files[text] = File(bytes: ByteBuffer(bytes: bytes), type: type(of: text), tag: tag)
            index += 1
        }
        return files
    }()

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }

    /// The answer to a path; `nil` where no file is.
    static func file(_ path: String) -> Response? {
        let name = path == "/" ? "index.html" : path.hasPrefix("/assets/") ? String(path.dropFirst(8)) : ""
        guard let file = all[name] else { return nil }
        return Response(
            status: .ok,
            headers: [
                .contentType: file.type, .contentLength: String(file.bytes.readableBytes),
                .cacheControl: "no-cache", .eTag: "\"\(file.tag)\"",
            ],
            body: ResponseBody(byteBuffer: file.bytes))
    }
}
