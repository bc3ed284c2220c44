public import FrameFastSystem
import Glibc
import SystemPackage

/// libgphoto2's settings file, `$HOME/.gphoto/settings`, with lines of the form `id=key=value`
/// (gphoto2-setting.c).
///
/// The library copies each field into a buffer of 256 bytes without a length check. The library also discards
/// the whole file if one line has fewer than two `=`. This type drops lines that have a longer field or fewer
/// than two `=`.
struct DriverSettings: Hashable, Sendable {
    /// The maximum number of lines. The library can store 512.
    static let countMax = 500
    /// The maximum length of an id, key or value, in bytes.
    static let fieldBytesMax = 255
    /// The maximum number of bytes to read from a settings file.
    static let fileBytesMax = 256 * 1024

    private(set) var lines: [[UInt8]]

    /// Parses the content of a settings file.
    init(_ bytes: [UInt8]) {
        let isEqualSign = { (byte: UInt8) in byte == UInt8(ascii: "=") }
        lines = bytes.split(separator: UInt8(ascii: "\n")).filter { line in
            let fields = line.split(
                maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: isEqualSign)
            return fields.count == 3 && !fields[0].isEmpty && !fields[1].isEmpty && !line.contains(0)
                && fields.allSatisfy { $0.count <= Self.fieldBytesMax }
        }.prefix(Self.countMax).map(Array.init)
    }

    /// Sets a value and keeps all others. Inserts the new line at the start, because the library uses the
    /// first match.
    mutating func set(_ id: String, _ key: String, _ value: String) {
        let name = Array("\(id)=\(key)=".utf8)
        lines.removeAll { $0.starts(with: name) }
        lines.insert(name + Array(value.utf8), at: 0)
    }

    /// The content of the file. Every line ends with a newline, because the library removes the last
    /// character of each line.
    var bytes: [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }
}

extension ServiceGUID {
    /// Writes this GUID to the libgphoto2 settings in a worker's home folder. libgphoto2 then sends this GUID
    /// to cameras. Keeps other settings, and does not rewrite a file that already has the GUID. Call this
    /// method before the worker starts.
    ///
    /// - Parameters:
    ///   - home: The worker's `HOME`. Created if it is missing.
    ///   - clock: The source of randomness.
    public func writeDriverSettings(home: String, clock: HostClock = .system) throws {
        let folder = "\(home)/.gphoto"
        let path = "\(folder)/settings"
        try DurableFile.createFolder(folder, mode: 0o700)
        guard Self.kind(folder) == S_IFDIR else { throw ServiceGUIDError.unexpectedFile(folder) }
        let old = try Self.content(path)
        var settings = DriverSettings(old)
        settings.set("ptp2_ip", "guid", description)
        guard settings.bytes != old else { return }
        let part = "\(path).\(String(clock.randomBits(), radix: 36)).part"
        defer { try? DurableFile.remove(part) }
        try NewFile.write(settings.bytes, to: part)
        guard rename(part, path) == 0 else {
            throw ServiceGUIDError.unwritable(path, Errno(rawValue: errno))
        }
        try DurableFile.syncFolder(folder)
    }

    /// Reads the settings file. Removes the file if it is not a regular file. A compromised worker could
    /// replace the file with a link to another file, or with a pipe on which the daemon would block.
    private static func content(_ path: String) throws -> [UInt8] {
        switch kind(path) {
        case nil: return []
        case S_IFREG:
            let reader = try FileReader(path)
            return try reader.read(at: 0, count: min(Int(clamping: reader.size), DriverSettings.fileBytesMax))
        default:
            try DurableFile.remove(path)
            return []
        }
    }

    /// Returns the type of the file at a path without following links, or `nil` if the file does not exist.
    private static func kind(_ path: String) -> mode_t? {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
    }
}
