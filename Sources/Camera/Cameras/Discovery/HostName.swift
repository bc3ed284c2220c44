import Glibc

/// The name that this computer sends to a camera. The camera shows the name when it requests the user's
/// approval.
public struct HostName: Hashable, Sendable {
    /// The bytes of the host name. As in libgphoto2, each byte is sent as one UTF-16 unit.
    public var bytes: [UInt8]

    /// Creates a name from bytes. Truncates the name at a NUL and at libgphoto2's limit of 99 bytes.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.prefix { $0 != 0 }.prefix(Self.bytesMax))
    }

    private static let bytesMax = 99

    /// The system's current host name.
    public static var current: HostName {
        var buffer = [CChar](repeating: 0, count: bytesMax + 1)
        guard gethostname(&buffer, buffer.count) == 0 else { return HostName(bytes: "framefast".utf8) }
        return HostName(bytes: buffer.map { UInt8(bitPattern: $0) })
    }
}
