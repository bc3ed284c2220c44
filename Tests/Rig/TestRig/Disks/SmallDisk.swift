import Foundation
import Glibc

/// A small file system (tmpfs), for tests of a full disk.
public final class SmallDisk {
    /// The mount point.
    public let path: String

    /// Whether this process can mount such a disk. Mounting needs root with the capability to mount.
    public static let isPossible: Bool = {
        guard let folder = try? ScratchFolder() else { return false }
        return (try? SmallDisk(folder.path("probe"), options: "size=1m")) != nil
    }()

    /// Mounts a disk at `path`, which is created.
    ///
    /// - Parameter options: The options of mount(8), for example `size=40m` or `nr_inodes=20`.
    public init(_ path: String, options: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else {
            throw WaitTimeout(description: "cannot mount a tmpfs: \(String(cString: strerror(errno)))")
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Writes a file of this size in bytes, or fills the disk if `bytes` is `nil`.
    public func fill(_ name: String = "filler", bytes: Int? = nil) throws {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw WaitTimeout(description: "cannot make \(name)") }
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 4096)
        var written = 0
        while written < bytes ?? Int.max {
            let count = write(file, block, min(block.count, (bytes ?? Int.max) - written))
            guard count > 0 else {
                guard bytes == nil, errno == ENOSPC else {
                    throw WaitTimeout(description: "cannot write \(name)")
                }
                return
            }
            written += count
        }
    }

    /// Deletes a file.
    public func remove(_ name: String = "filler") { unlink("\(path)/\(name)") }

    /// The free space, in bytes.
    public var freeBytes: Int {
        var information = statvfs()
        return statvfs(path, &information) == 0 ? Int(information.f_bavail) * Int(information.f_frsize) : 0
    }
}
