/// A reader of bytes that nobody vouches for, and the way to feed it. `scripts/fuzz` and ``CorpusTests`` feed the same.
///
/// A target fails by trapping, as its reader would in a program of ours: on its own accord, or by a promise that is held
/// here with `precondition`.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// Files of cameras, before they are published.
    case structure
    /// Files of cameras, for the stars in them.
    case rating
    /// Names of cameras' objects, and templates of people.
    case names
    /// What a camera on the network says to a probe.
    case probe
    /// What devices on the network announce: multicast DNS, SSDP, descriptions of UPnP devices.
    case announcements
    /// PTP packets on the network, as the worker's tap sees them.
    case network
    /// PTP containers on the USB, as the worker's tap sees them.
    case containers
    /// Descriptors and strings of a device on the USB.
    case descriptors
    /// Frames between daemon and worker.
    case worker
    /// Packets of an SFTP server.
    case sftp
    /// Answers of S3, WebDAV and HTTP servers: header fields, XML.
    case answers
    /// Lines of FTP servers, ssh, rclone and what people's programs print.
    case lines
    /// Configuration files.
    case configuration
    /// Files of presets.
    case presets
    /// The daemon's answers, as the command line reads them.
    case client
    /// Requests to the daemon: path, query, body.
    case requests

    /// Reads the bytes as the program would. Returns whatever they are.
    func feed(_ bytes: [UInt8]) {
        switch self {
        case .structure: Self.structure(bytes)
        case .rating: Self.rating(bytes)
        case .names: Self.names(bytes)
        case .probe: Self.probe(bytes)
        case .announcements: Self.announcements(bytes)
        case .network: Self.network(bytes)
        case .containers: Self.containers(bytes)
        case .descriptors: Self.descriptors(bytes)
        case .worker: Self.worker(bytes)
        case .sftp: Self.sftp(bytes)
        case .answers: Self.answers(bytes)
        case .lines: Self.lines(bytes)
        case .configuration: Self.configuration(bytes)
        case .presets: Self.presets(bytes)
        case .client: Self.client(bytes)
        case .requests: Self.requests(bytes)
        }
    }
}

/// Takes an input apart: numbers that steer, and pieces that are fed. What is missing at the end is 0 or empty.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A piece behind its length in two bytes, low byte first.
    mutating func piece() -> [UInt8] {
        let count = Int(byte()) | Int(byte()) << 8
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Everything that is left.
    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

extension [UInt8] {
    /// As text, what is no UTF-8 replaced, as all readers of ours take it.
    var asText: String { String(decoding: self, as: UTF8.self) }
}
