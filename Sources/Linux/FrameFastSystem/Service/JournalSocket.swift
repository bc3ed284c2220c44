import Glibc
import Synchronization

/// One entry for systemd's journal in its native form: fields with names in upper case.
public struct JournalEntry: Hashable, Sendable {
    /// Bytes of a value that are kept: an entry must fit into one datagram.
    public static let valueBytesMax = 8_192

    /// The entry's bytes so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an entry without fields.
    public init() {}

    /// Adds a field. A name that the journal would not take is left out; a long value is cut.
    public mutating func add(_ name: String, _ value: String) {
        guard Self.isName(name) else { return }
        let value = value.utf8.prefix(Self.valueBytesMax)
        bytes += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            // Name, line feed, length as 64 bits of little-endian, value, line feed.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Up to 64 upper-case letters, digits and underscores, with a letter first: others are the journal's own.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, ("A"..."Z").contains(Character(UnicodeScalar(first))) else {
            return false
        }
        return name.utf8.count <= 64
            && name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
    }
}

/// The journal's socket (systemd.io/JOURNAL_NATIVE_PROTOCOL). A datagram an entry: libsystemd does no more for entries
/// of this size.
public final class JournalSocket: Sendable {
    /// Where the journal listens.
    public static let path = "/run/systemd/journal/socket"
    /// Longest wait for a journal that is behind, in milliseconds: the service must not stop because nobody logs.
    private static let patienceMs = 250

    private let descriptor: Int32
    private let missed = Atomic(0)

    /// Opens a way to the journal; `nil` when descriptor 2 does not lead there, or there is none.
    ///
    /// - Parameter stream: `JOURNAL_STREAM` of the environment: device and inode that descriptor 2 has when systemd
    ///   has connected it to the journal.
    public init?(stream: String?) {
        var facts = stat()
        guard let stream, fstat(2, &facts) == 0, stream == "\(facts.st_dev):\(facts.st_ino)" else {
            return nil
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var patience = timeval(tv_sec: 0, tv_usec: Self.patienceMs * 1_000)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard access(Self.path, W_OK) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Sends an entry.
    ///
    /// - Parameter lost: Makes an entry of how many were lost before this one.
    public func send(_ entry: JournalEntry, lost: (Int) -> JournalEntry) {
        let missed = self.missed.load(ordering: .relaxed)
        // A journal that let us wait once is not waited for again until it takes something.
        let flags = Int32(MSG_NOSIGNAL) | (missed > 0 ? Int32(MSG_DONTWAIT) : 0)
        guard send(entry.bytes, flags) else {
            self.missed.add(1, ordering: .relaxed)
            return
        }
        if missed > 0 {
            self.missed.subtract(missed, ordering: .relaxed)
            _ = send(lost(missed).bytes, flags)
        }
    }

    /// Each time by its path: a journal that was started again listens on another socket.
    private func send(_ bytes: [UInt8], _ flags: Int32) -> Bool {
        UnixAddress.withAddress(Self.path) { address, length in
            sendto(descriptor, bytes, bytes.count, flags, address, length) == bytes.count
        } ?? false
    }
}
