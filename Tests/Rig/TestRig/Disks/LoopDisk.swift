import Foundation
import Glibc

/// A disk in a file (ext4 on a loop device). The disk has the same identity after it is mounted again.
public final class LoopDisk {
    /// The mount point.
    public let path: String
    private let image: String

    /// Whether this process can mount such a disk. Mounting needs root, loop devices and mkfs.ext4.
    public static let isPossible: Bool = {
        guard let folder = try? ScratchFolder() else { return false }
        return (try? LoopDisk(folder.path("probe"))) != nil
    }()

    /// Creates a disk and mounts it at `path`, which is created.
    ///
    /// - Parameter image: The path of the disk's file, or `nil` for a file next to `path`.
    public init(_ path: String, image: String? = nil, megabytes: Int = 64) throws {
        self.path = path
        self.image = image ?? path + ".img"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Self.run(["truncate", "-s", "\(megabytes)M", self.image])
        try Self.run(["mkfs.ext4", "-qF", self.image])
        try mount()
        rmdir(path + "/lost+found")
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Mounts the disk.
    public func mount() throws { try Self.run(["mount", "-o", "loop", image, path]) }

    /// Unmounts the disk.
    ///
    /// - Parameter isLazy: Whether to unmount a disk in use. Open files stay open, and paths then lead
    ///   to the folder that the disk had covered.
    public func unmount(isLazy: Bool = false) async throws {
        // A process that another test is starting has this process's open files until it calls execve(2).
        try await eventually("\(path) to be unused") { () -> Void? in
            if umount2(path, isLazy ? Int32(MNT_DETACH) : 0) == 0 { return () }
            guard errno == EBUSY else {
                throw WaitTimeout(
                    description: "cannot unmount \(path): \(String(cString: strerror(errno)))")
            }
            return nil
        }
    }

    /// Makes the disk read-only or writable.
    public func remount(isReadOnly: Bool) throws {
        try Self.run(["mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", path])
    }

    private static func run(_ words: [String]) throws {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        program.arguments = words
        try program.run()
        program.waitUntilExit()
        guard program.terminationStatus == 0 else {
            throw WaitTimeout(description: "cannot run \(words): status \(program.terminationStatus)")
        }
    }
}
