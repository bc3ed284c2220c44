/// A parser of untrusted bytes. `scripts/fuzz` and ``CorpusTests`` feed the same parsers.
///
/// A target fails with a trap in the parser or in a `precondition` of the target.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// Image files of cameras, for the structure check before publishing.
    case structure
    /// Image files of cameras, for their star ratings.
    case rating
    /// Image files of cameras, for the JPEGs in them.
    case previews
    /// Requests to a picture worker, and its results.
    case pictures
    /// Object names from cameras, and naming templates from users.
    case names
    /// A network camera's responses to a probe.
    case probe
    /// Announcements of network devices: multicast DNS, SSDP, UPnP device descriptions.
    case announcements
    /// PTP packets on the network, in the form that the worker's `PacketTap` receives.
    case network
    /// PTP containers on USB, in the form that the worker's `PacketTap` receives.
    case containers
    /// Descriptors and strings of a USB device.
    case descriptors
    /// Frames between daemon and worker.
    case worker
    /// Packets of an SFTP server.
    case sftp
    /// Responses of S3, WebDAV and HTTP servers: header fields, XML.
    case answers
    /// Output lines of FTP servers, ssh, rclone and users' programs.
    case lines
    /// Configuration files.
    case configuration
    /// Preset files.
    case presets
    /// The daemon's responses to the command line.
    case client
    /// Requests to the daemon: path, query, body.
    case requests
    /// Requests of browsers to the web page: host, cookie and path.
    case browsers
    /// Codes and cookies that devices send to the web page.
    case pairing

    /// Parses the bytes with the program's parser. Traps if the parser has an error.
    func feed(_ bytes: [UInt8]) {
        switch self {
        case .structure: Self.structure(bytes)
        case .rating: Self.rating(bytes)
        case .previews: Self.previews(bytes)
        case .pictures: Self.pictures(bytes)
        case .names: Self.names(bytes)
        case .probe: Self.probe(bytes)
        case .announcements: Self.announcements(bytes)
        case .network: Self.network(bytes)
        case .containers: Self.containers(bytes)
        case .descriptors: Self.descriptors(bytes)
        case .worker: Self.worker(bytes)
        case .sftp: Self.sftp(bytes)
        case .answers: Self.responses(bytes)
        case .lines: Self.lines(bytes)
        case .configuration: Self.configuration(bytes)
        case .presets: Self.presets(bytes)
        case .client: Self.client(bytes)
        case .requests: Self.requests(bytes)
        case .browsers: Self.browsers(bytes)
        case .pairing: Self.pairing(bytes)
        }
    }
}

/// An input that is split into numbers and chunks of data. After the end, numbers are 0 and chunks are empty.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next byte.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Returns a chunk of data that follows its length (two bytes, low byte first).
    mutating func chunk() -> [UInt8] {
        let count = Int(byte()) | Int(byte()) << 8
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns the remaining bytes.
    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

extension [UInt8] {
    /// The bytes as text. Invalid UTF-8 is replaced, as in all readers of FrameFast.
    var asText: String { String(decoding: self, as: UTF8.self) }
}
