import Glibc
import Synchronization
import SystemIO

/// An entry of systemd's journal in the native format: a list of fields with upper-case names.
public struct JournalEntry: Hashable, Sendable {
    /// The longest value of a field, in bytes. An entry must fit into one datagram.
    public static let valueBytesMax = 8_192

    /// The encoded entry.
    public private(set) var bytes: [UInt8] = []

    /// Creates an entry without fields.
    public init() {}

    /// Adds a field. Ignores a name that the journal rejects, and truncates a long value.
    public mutating func add(_ name: String, _ value: String) {
        guard Self.isName(name) else { return }
        let value = value.utf8.prefix(Self.valueBytesMax)
        bytes += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            // Name, line feed, length as 64-bit little-endian, value, line feed.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns whether a name has at most 64 upper-case letters, digits and underscores and starts with a
    /// letter. The journal rejects or reserves other names.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, ("A"..."Z").contains(Character(UnicodeScalar(first))) else {
            return false
        }
        return name.utf8.count <= 64
            && name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
    }
}

/// A client of the journal's socket (systemd.io/JOURNAL_NATIVE_PROTOCOL). The client sends each entry as one
/// datagram, as libsystemd does for small entries.
public final class JournalSocket: Sendable {
    /// The path of the journal's socket.
    public static let path = "/run/systemd/journal/socket"
    /// The longest wait for a slow journal, in milliseconds. Logging must never block the service.
    private static let sendTimeoutMs = 250

    private let descriptor: Int32
    private let missed = Atomic(0)

    /// Creates a client. Returns `nil` if descriptor 2 is not connected to the journal, or if the journal's
    /// socket is not writable.
    ///
    /// - Parameter stream: The variable `JOURNAL_STREAM`. If systemd connects descriptor 2 to the journal, it
    ///   sets the variable to the device and inode of the descriptor.
    public init?(stream: String?) {
        var facts = stat()
        guard let stream, fstat(2, &facts) == 0, stream == "\(facts.st_dev):\(facts.st_ino)" else {
            return nil
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var timeout = timeval(tv_sec: 0, tv_usec: Self.sendTimeoutMs * 1_000)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard access(Self.path, W_OK) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Sends an entry.
    ///
    /// - Parameter lost: Returns an entry that reports the number of entries that were lost before `entry`.
    public func send(_ entry: JournalEntry, lost: (Int) -> JournalEntry) {
        let missed = self.missed.load(ordering: .relaxed)
        // After a timeout, entries are sent without waiting, until the journal accepts an entry.
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

    /// Sends a datagram to the socket's path. A restarted journal listens on a new socket at this path.
    private func send(_ bytes: [UInt8], _ flags: Int32) -> Bool {
        UnixAddress.withAddress(Self.path, allowsAbstractName: true) { address, length in
            sendto(descriptor, bytes, bytes.count, flags, address, length) == bytes.count
        } ?? false
    }
}
