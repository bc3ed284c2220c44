import SystemPackage

/// One transfer, as the input for libcurl.
struct CurlRequest: Sendable {
    /// The operation to perform.
    enum Action: Sendable {
        /// An HTTP request with its method.
        case http(method: String)
        /// FTP: stores the body under the URL's name.
        case store(Storing)
        /// FTP: reads the URL.
        case retrieve
        /// FTP: enters the URL's folder and transfers nothing.
        case enter
    }

    /// The way FTP stores bytes under a name.
    enum Storing: Hashable, Sendable {
        /// The bytes replace the file.
        case whole
        /// The bytes are appended to the file (APPE).
        case append
        /// The bytes replace the end of the file, starting at an offset (REST and STOR).
        case restart(at: UInt64)
    }

    /// The destination of the response body.
    enum Sink: Sendable {
        /// Kept in memory. A body longer than `bytesMax` is an error.
        case kept(bytesMax: Int)
        /// Hashed only, to compare a remote copy with the photo.
        case hashed
    }

    var action: Action
    /// The percent-encoded URL, always without user and password.
    var url: String
    var headers: [HTTPHeader] = []
    var body: UploadBody?
    var sink = Sink.kept(bytesMax: 1 << 20)
    var credentials = HTTPCredentials.none
    var connection = ConnectionSettings()
    /// FTP commands to send before the transfer, in the login folder, and after it, in the URL's folder. A
    /// failed command with the prefix `*` is ignored.
    var commandsBefore: [String] = []
    var commandsAfter: [String] = []
    /// Whether the server may be silent while it prepares its response. Otherwise silence counts as a stall
    /// (``ConnectionSettings/stallSeconds``).
    var mayBeSilent = false
    /// Whether libcurl requests the file's size before it reads the file over FTP.
    var asksForSize = true
    /// Whether FTP creates missing folders on the way to the URL's folder.
    var makesFolders = true
    /// Whether FTP's control and data connections use TLS.
    var ftpTLS = false
    /// Whether TLS 1.3 may be used.
    var allowsTLS13 = true
    var budget: SendBudget?
    var progress: (@Sendable (UInt64) -> Void)?

    /// The only schemes that this transfer may use, whatever its URL says.
    var schemes: String {
        isHTTP ? "http,https" : "ftp,ftps"
    }

    /// Whether this is an HTTP request. Otherwise it is an FTP transfer.
    var isHTTP: Bool { if case .http = action { true } else { false } }
}

/// One HTTP header field.
public struct HTTPHeader: Hashable, Sendable {
    /// The field name.
    public var name: String
    /// The field value.
    public var value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The response to a transfer.
struct CurlAnswer: Sendable {
    /// The HTTP status, or the code of the last FTP reply.
    var status = 0
    /// The HTTP header fields, with names in lower case.
    var headers: [HTTPHeader] = []
    /// The last line of each FTP reply, in order.
    var replies: [String] = []
    var body: [UInt8] = []
    /// Whether libcurl sent the body twice, because a reused connection broke or the server asked for it.
    var wasSentAgain = false
    /// The byte count and SHA-256 of a hashed body.
    var hashed: (bytes: UInt64, sha256: String)?

    /// The value of the last header with a lower-case name.
    subscript(name: String) -> String? { headers.last { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Adds a line of an HTTP header. A status line starts a new response: of a proxy, of a redirection, or
    /// 100 Continue.
    mutating func addHeaderLine(_ line: String) {
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(line[..<colon].lowercased(), String(value)))
        }
    }
}

/// The reason why a transfer got no response.
enum TransportFailure: Error, Hashable, Sendable {
    /// libcurl's error code and message, the last status or FTP reply code, and the number of bytes sent.
    case curl(code: UInt32, words: String, status: Int, sent: UInt64)
    /// The photo's file returned fewer bytes than its size, or could not be read.
    case localRead
    /// The server sent more than any reasonable response has.
    case answerTooLarge
    case cancelled
    /// This computer cannot start another thread for transfers. Carries the kernel's error.
    case noThread(Errno)
}
