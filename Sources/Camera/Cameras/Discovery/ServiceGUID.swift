import Foundation
public import FrameFastSystem
import Glibc
import SystemIO
public import SystemPackage

/// The GUID that identifies this installation to network cameras. Cameras pair with the GUID. The GUID is
/// therefore created once and never changed.
public struct ServiceGUID: Hashable, Sendable, CustomStringConvertible {
    /// The length in bytes.
    public static let byteCount = 16
    /// The name of the file in the state directory.
    public static let fileName = "network-guid"

    /// The 16 bytes in wire format.
    public let bytes: [UInt8]

    /// Returns a new random GUID.
    ///
    /// - Parameter clock: The source of randomness.
    public static func random(from clock: HostClock = .system) -> ServiceGUID {
        var bytes: [UInt8] = []
        while bytes.count < byteCount {
            withUnsafeBytes(of: clock.randomBits()) { bytes += $0 }
        }
        return ServiceGUID(unchecked: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Parses libgphoto2's text format: 16 hexadecimal bytes separated by colons, 47 characters in total.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        guard parts.count == Self.byteCount, bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The GUID in libgphoto2's text format (`ptp_nikon_getptpipguid`).
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }

    /// Reads the installation's GUID from its state directory. The first call creates the file and syncs it
    /// to disk.
    ///
    /// - Parameter clock: The source of randomness.
    /// - Throws: An error if the file can't be read or written, or is damaged. A damaged file is not
    ///   replaced, because every camera would then have to pair again.
    public static func installed(
        in stateDirectory: String, clock: HostClock = .system
    ) throws -> ServiceGUID {
        let path = "\(stateDirectory)/\(fileName)"
        if DurableFile.exists(path) { return try read(path) }
        let new = random(from: clock)
        let part = "\(path).\(String(clock.randomBits(), radix: 36)).part"
        defer { try? DurableFile.remove(part) }
        try NewFile.write(Array("\(new)\n".utf8), to: part)
        // If another process has created the file first, reads the GUID from that file.
        guard try DurableFile.publish(part, as: path) else { return try read(path) }
        try DurableFile.syncFolder(stateDirectory)
        return new
    }

    private static func read(_ path: String) throws -> ServiceGUID {
        let reader = try FileReader(path)
        let text = String(decoding: try reader.read(at: 0, count: 256), as: UTF8.self)
        guard let guid = ServiceGUID(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ServiceGUIDError.damaged(path)
        }
        return guid
    }
}

/// The reason why the GUID cannot be read or stored.
public enum ServiceGUIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not contain a GUID.
    case damaged(String)
    /// A link or another kind of file exists at the path of the folder for driver settings.
    case unexpectedFile(String)
    /// A file can't be written.
    case unwritable(String, Errno)

    /// A description for users: the problem and the next step.
    public var description: String {
        switch self {
        case .damaged(let path):
            "cannot read this computer's ID for network cameras from \(path): "
                + "restore the file, or remove it and pair the cameras again"
        case .unexpectedFile(let path):
            "cannot use \(path): it is a link or a file instead of a folder; remove it"
        case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
        }
    }
}

/// Creates a small file and syncs it to the disk. Fails if the file already exists.
enum NewFile {
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ServiceGUIDError.unwritable(path, Errno(rawValue: errno)) }
        defer { close(descriptor) }
        do throws(SystemCallFailure) {
            try IO.writeAll(bytes, to: descriptor)
            _ = try IO.retrying { fsync(descriptor) }
        } catch {
            throw ServiceGUIDError.unwritable(path, Errno(rawValue: error.number))
        }
    }
}
