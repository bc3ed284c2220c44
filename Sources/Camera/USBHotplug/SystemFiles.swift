import Glibc
import SystemIO

/// Reads small kernel files and links. Uses only the C library.
enum SystemFiles {
    /// The maximum number of bytes to read from a file. The descriptors of a device have a few hundred bytes.
    static let bytesMax = 65536

    /// Returns the content of a file, truncated at ``bytesMax``, or `nil` if the file can't be read.
    static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while content.count < bytesMax {
            guard let count = try? IO.read(from: descriptor, into: &buffer) else { return nil }
            if count == 0 { break }
            content += buffer[..<count]
        }
        return content
    }

    /// Returns the content as text without the trailing newline, or `nil` if the file can't be read or is
    /// empty.
    static func text(_ path: String) -> String? {
        guard let bytes = bytes(path) else { return nil }
        let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != 0 }.map { $0 + 1 } ?? 0
        return end == 0 ? nil : String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Returns the target of a symbolic link, or `nil` if the path is not a link.
    static func target(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Returns the last component of a link's target, for example the name of a driver for `…/driver`.
    static func targetName(_ path: String) -> String? {
        target(path)?.split(separator: "/").last.map(String.init)
    }

    /// Returns up to `limit` names in a folder, without `.` and `..`. Returns an empty list if the folder
    /// can't be read.
    static func names(in folder: String, limit: Int) -> [String] {
        (try? IO.names(inFolder: folder, limit: limit)) ?? []
    }
}
