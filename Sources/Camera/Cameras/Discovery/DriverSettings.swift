import Foundation
import FrameFastSystem
import Glibc
import SystemPackage

/// libgphoto2's settings file, `$HOME/.gphoto/settings`: lines of `id=key=value` (gphoto2-setting.c).
///
/// The library keeps it in fields of 256 bytes that it fills without looking, and throws the whole file away over one
/// line with fewer than two `=`. Lines that would do that are left out here.
struct DriverSettings: Hashable, Sendable {
    /// The library has room for 512.
    static let countMax = 500
    /// Bytes of an id, key or value.
    static let fieldBytesMax = 255
    /// Bytes of a whole file that is read at all.
    static let fileBytesMax = 256 * 1024

    private(set) var lines: [[UInt8]]

    /// Takes a file's content.
    init(_ bytes: [UInt8]) {
        let isEqualSign = { (byte: UInt8) in byte == UInt8(ascii: "=") }
        lines = bytes.split(separator: UInt8(ascii: "\n")).filter { line in
            let fields = line.split(
                maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: isEqualSign)
            return fields.count == 3 && !fields[0].isEmpty && !fields[1].isEmpty && !line.contains(0)
                && fields.allSatisfy { $0.count <= Self.fieldBytesMax }
        }.prefix(Self.countMax).map(Array.init)
    }

    /// Sets a value and keeps everything else. The new line stands first: the library takes the first that fits.
    mutating func set(_ id: String, _ key: String, _ value: String) {
        let name = Array("\(id)=\(key)=".utf8)
        lines.removeAll { $0.starts(with: name) }
        lines.insert(name + Array(value.utf8), at: 0)
    }

    /// The file's content. The last line ends with a newline: the library cuts off the last character of each line.
    var bytes: [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }
}

extension ServiceGUID {
    /// Lets libgphoto2 greet cameras with this number: writes it to the settings in a worker's home. To be called
    /// before the worker starts. Other settings are kept; a file that is right already is not touched.
    ///
    /// - Parameter home: The worker's HOME; made when it is missing.
    public func seed(home: String) throws {
        let folder = "\(home)/.gphoto"
        let path = "\(folder)/settings"
        try DurableFile.createFolder(folder, mode: 0o700)
        guard Self.kind(folder) == S_IFDIR else { throw ServiceGUIDError.inTheWay(folder) }
        let old = try Self.content(path)
        var settings = DriverSettings(old)
        settings.set("ptp2_ip", "guid", description)
        guard settings.bytes != old else { return }
        let part = "\(path).\(UUID().uuidString.prefix(8)).part"
        defer { try? DurableFile.remove(part) }
        try NewFile.write(settings.bytes, to: part)
        guard rename(part, path) == 0 else {
            throw ServiceGUIDError.unwritable(path, Errno(rawValue: errno))
        }
        try DurableFile.syncFolder(folder)
    }

    /// The settings as they are. What the worker left there is not trusted: a pipe would block, a link lead elsewhere.
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

    /// What stands at a path, links not followed.
    private static func kind(_ path: String) -> mode_t? {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
    }
}
