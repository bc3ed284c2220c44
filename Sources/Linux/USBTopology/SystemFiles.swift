import Glibc

/// Small files and links of the kernel's, read with plain calls of the C library.
public enum SystemFiles {
    /// Most bytes of a file that are read; descriptors of a device are a few hundred.
    public static let bytesMax = 65536

    /// Content of a file, cut at ``bytesMax``; `nil` when it cannot be read.
    public static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while content.count < bytesMax {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { break }
            content += buffer[..<count]
        }
        return content
    }

    /// Content as text without the line's end; `nil` when it cannot be read or is empty.
    public static func text(_ path: String) -> String? {
        guard let bytes = bytes(path) else { return nil }
        let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != 0 }.map { $0 + 1 } ?? 0
        return end == 0 ? nil : String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Target of a symbolic link; `nil` when there is none.
    public static func target(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Last part of a link's target: the name of a driver for `…/driver`.
    public static func targetName(_ path: String) -> String? {
        target(path)?.split(separator: "/").last.map(String.init)
    }

    /// Names in a folder without `.` and `..`, at most `limit`; empty when it cannot be read.
    public static func names(in folder: String, limit: Int) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
