import Glibc

/// The name under which this computer greets a camera; the camera shows it when it asks its owner.
public struct HostName: Hashable, Sendable {
    /// As libgphoto2 takes it from the system: bytes, each of which becomes one UTF-16 unit.
    public var bytes: [UInt8]

    /// Takes bytes; cut at a NUL and at 99 bytes, libgphoto2's limit.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.prefix { $0 != 0 }.prefix(Self.bytesMax))
    }

    private static let bytesMax = 99

    /// What the system says, read anew each time.
    public static var current: HostName {
        var buffer = [CChar](repeating: 0, count: bytesMax + 1)
        guard gethostname(&buffer, buffer.count) == 0 else { return HostName(bytes: "framefast".utf8) }
        return HostName(bytes: buffer.map { UInt8(bitPattern: $0) })
    }
}
