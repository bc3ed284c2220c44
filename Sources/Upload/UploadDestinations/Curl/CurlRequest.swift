import SystemPackage

/// A description of one transfer for libcurl.
struct CurlRequest: Sendable {
    /// The operation to perform.
    enum Action: Sendable {
        /// An HTTP request with its method.
        case http(method: String)
        /// FTP: stores the body under the name in the URL.
        case store(StoreMode)
        /// FTP: downloads the file of the URL.
        case retrieve
        /// FTP: enters the URL's folder and transfers nothing.
        case enter
    }

    /// The method for storing bytes in an FTP file.
    enum StoreMode: Hashable, Sendable {
        /// The bytes replace the file.
        case whole
        /// The bytes are appended to the file (APPE).
        case append
        /// The bytes are written from an offset (REST and STOR).
        case restart(at: UInt64)
    }

    /// The handling of the response body.
    enum Sink: Sendable {
        /// The body is stored in memory. A body of more than `bytesMax` bytes is an error.
        case kept(bytesMax: Int)
        /// The body is only hashed, for the comparison of a remote copy with the photo.
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
    /// The FTP commands to run in the login folder before the transfer, and in the URL's folder after the
    /// transfer. libcurl ignores the failure of a command with the prefix `*`.
    var commandsBefore: [String] = []
    var commandsAfter: [String] = []
    /// Whether the server may be silent while it prepares its response. If `false`, such a silence counts as
    /// a stall (``ConnectionSettings/stallSeconds``).
    var mayBeSilent = false
    /// Whether a large HTTP body may have the header `Expect: 100-continue`.
    var mayAskFirst = true
    /// Whether libcurl requests the size of a file before an FTP download.
    var asksForSize = true
    /// Whether FTP creates the missing folders of the URL's path.
    var makesFolders = true
    /// Whether FTP's control and data connections use TLS.
    var ftpTLS = false
    /// Whether TLS 1.3 may be used.
    var allowsTLS13 = true
    var budget: SendBudget?
    var progress: (@Sendable (UInt64) -> Void)?

    /// The only URL schemes that this transfer may use, including redirects.
    var schemes: String {
        isHTTP ? "http,https" : "ftp,ftps"
    }

    /// Whether this is an HTTP request. If `false`, it is an FTP transfer.
    var isHTTP: Bool { if case .http = action { true } else { false } }
}

/// One HTTP header field.
struct HTTPHeader: Hashable, Sendable {
    /// The field name.
    var name: String
    /// The field value.
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The response to a transfer.
struct CurlResponse: Sendable {
    /// The HTTP status, or the code of the last FTP reply.
    var status = 0
    /// The HTTP header fields, with names in lower case. For FTP, all lines of each reply except the last
    /// line.
    var headers: [HTTPHeader] = []
    /// The last line of each FTP reply, in order.
    var replies: [String] = []
    var body: [UInt8] = []
    /// Whether libcurl sent the body twice, because a reused connection broke or the server requested the
    /// body again.
    var wasSentAgain = false
    /// The byte count and SHA-256 of a hashed body.
    var hashed: (bytes: UInt64, sha256: String)?
    /// Whether the HTTP request used Digest authentication.
    var usedDigest = false

    /// Returns the value of the last header with this lower-case name, or `nil` if the response has no such
    /// header.
    subscript(name: String) -> String? { headers.last { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Adds a line of an HTTP header. A status line starts a new response and discards the headers of the
    /// previous response, for example of 100 Continue or of a proxy.
    mutating func addHeaderLine(_ line: String) {
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(line[..<colon].lowercased(), String(value)))
        }
    }
}

/// The reason why a transfer received no response.
enum TransportFailure: Error, Hashable, Sendable {
    /// libcurl's error code and message, the last status or FTP reply code, and the number of bytes sent.
    case curl(code: UInt32, words: String, status: Int, sent: UInt64)
    /// The photo's file is shorter than its size, or can't be read.
    case localRead
    /// The response is larger than the limit.
    case responseTooLarge
    case cancelled
    /// This computer can't start another thread for transfers. The value is the kernel's error.
    case noThread(Errno)
}
