import SystemPackage

/// One transfer, as libcurl is to make it.
struct CurlRequest: Sendable {
    /// What is asked for.
    enum Action: Sendable {
        /// HTTP, with its method.
        case http(method: String)
        /// FTP: stores the body under the URL's name.
        case store(Storing)
        /// FTP: reads the URL.
        case retrieve
        /// FTP: only enters the URL's folder.
        case enter
    }

    /// The way in which FTP stores bytes under a name.
    enum Storing: Hashable, Sendable {
        /// The bytes replace the file.
        case whole
        /// The bytes are appended to the file (APPE).
        case append
        /// The bytes replace the file's end from an offset on (REST and STOR).
        case restart(at: UInt64)
    }

    /// What happens to the answer's body.
    enum Sink: Sendable {
        /// Kept, up to a bound; more is an error.
        case kept(mostBytes: Int)
        /// Only hashed: to compare what is there with the photo.
        case hashed
    }

    var action: Action
    /// Percent-encoded; never with user or password.
    var url: String
    var headers: [HTTPHeader] = []
    var body: UploadBody?
    var sink = Sink.kept(mostBytes: 1 << 20)
    var credentials = HTTPCredentials.none
    var connection = ConnectionSettings()
    /// FTP commands before the transfer, in the login folder, and after it, in the URL's folder. Failure of one with
    /// `*` before it is no failure.
    var commandsBefore: [String] = []
    var commandsAfter: [String] = []
    /// Whether the other side may say nothing for as long as it works on its answer. Otherwise it is a stall
    /// (``ConnectionSettings/stallSeconds``).
    var mayBeSilent = false
    /// Whether libcurl asks for a file's size before it reads the file by FTP.
    var asksForSize = true
    /// Whether a missing folder is made on the way to the URL's folder by FTP.
    var makesFolders = true
    /// TLS for FTP's control and data connections.
    var ftpTLS = false
    /// Whether TLS 1.3 may be used.
    var allowsTLS13 = true
    var budget: SendBudget?
    var progress: (@Sendable (UInt64) -> Void)?

    /// Schemes that this transfer may use; nothing else, whatever a URL says.
    var schemes: String {
        isHTTP ? "http,https" : "ftp,ftps"
    }

    /// Whether it is of the HTTP family, and not of FTP's.
    var isHTTP: Bool { if case .http = action { true } else { false } }
}

/// One header field.
public struct HTTPHeader: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What came back.
struct CurlAnswer: Sendable {
    /// HTTP status, or the last FTP reply's code.
    var status = 0
    /// HTTP header fields, names in lower case.
    var headers: [HTTPHeader] = []
    /// The last line of each FTP reply, in order.
    var replies: [String] = []
    var body: [UInt8] = []
    /// Whether libcurl sent the body a second time: a kept connection broke, or the server asked for it.
    var wasSentAgain = false
    /// Bytes and SHA-256 of a hashed body.
    var hashed: (bytes: UInt64, sha256: String)?

    /// A header's value.
    subscript(name: String) -> String? { headers.last { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Takes a line of an HTTP header. A status line begins another answer: of a proxy, of a redirection, 100 Continue.
    mutating func takeField(_ line: String) {
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(HTTPHeader(line[..<colon].lowercased(), String(value)))
        }
    }
}

/// Why a transfer came to no answer.
enum TransportFailure: Error, Hashable, Sendable {
    /// libcurl's number and words, the last status or FTP reply, and how much had been sent.
    case curl(code: UInt32, words: String, status: Int, sent: UInt64)
    /// The photo's file did not give what it had.
    case localRead
    /// The other side sent more than any sensible answer has.
    case answerTooLarge
    case cancelled
    /// This computer has no thread left for transfers, with the kernel's reason.
    case noThread(Errno)
}
