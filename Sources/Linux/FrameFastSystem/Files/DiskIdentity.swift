import CLinux
import Glibc
import SystemPackage

/// The identity of the file system that contains a folder.
///
/// The kernel reports an id for each file system (`f_fsid`, statfs(2)). ext4 and btrfs derive the id from the
/// file system's UUID, so it is the same after each mount. XFS, FAT and file systems without a disk derive it
/// from a device number, which another disk can have after the next mount. An identity therefore also records
/// whether the file system is that of `/`.
public struct DiskIdentity: Hashable, Sendable {
    /// The type of the file system, as in statfs(2).
    private var kind: Int
    private var id: UInt64
    /// Whether this is the file system of `/`.
    public private(set) var isRootDisk: Bool

    /// The types of in-memory file systems, TMPFS_MAGIC and RAMFS_MAGIC (linux/magic.h). Such a file system
    /// is empty after each start of the computer.
    private static let inMemory: Set<Int> = [0x0102_1994, 0x8584_58f6]

    /// The types of FAT, exFAT, SMB 1 and later versions of SMB (linux/magic.h).
    private static let withoutOwners: Set<UInt32> = [0x4d44, 0x2011_bab0, 0xff53_4d42, 0xfe53_4d42]

    /// Whether the file system stores no owners of files. chown(1) then fails or has no effect, and mount
    /// options determine the owner of all files.
    public var lacksOwners: Bool { Self.withoutOwners.contains(UInt32(truncatingIfNeeded: kind)) }

    /// Returns the identity of the file system that contains a path. If the path is missing, its nearest
    /// existing parent is used.
    public static func of(_ path: String) throws(SystemCallError) -> DiskIdentity {
        var candidate = path
        while true {
            var (kind, id): (Int64, UInt64) = (0, 0)
            var isRootDisk: Int32 = 0
            let reason = framefast_file_system(candidate, &kind, &id, &isRootDisk)
            guard reason != 0 else {
                return DiskIdentity(kind: Int(kind), id: id, isRootDisk: isRootDisk != 0)
            }
            let failure = SystemCallError(call: "inspect", subject: candidate, errno: Errno(rawValue: reason))
            guard failure.isPathMissing, candidate != "/", !candidate.isEmpty else {
                throw failure
            }
            candidate = DurableFile.parent(of: candidate)
        }
    }

    /// Returns the identity of the file system that contains an open file or folder.
    static func of(descriptor: Int32) throws(SystemCallError) -> DiskIdentity {
        var (kind, id): (Int64, UInt64) = (0, 0)
        var isRootDisk: Int32 = 0
        let reason = framefast_file_system_of(descriptor, &kind, &id, &isRootDisk)
        guard reason == 0 else {
            throw SystemCallError(
                call: "inspect", subject: "descriptor \(descriptor)", errno: Errno(rawValue: reason))
        }
        return DiskIdentity(kind: Int(kind), id: id, isRootDisk: isRootDisk != 0)
    }

    /// Returns whether both identities refer to the same file system. All in-memory file systems of one type
    /// count as the same file system.
    public func isSame(as other: DiskIdentity) -> Bool {
        guard kind == other.kind, isRootDisk == other.isRootDisk else { return false }
        return id == other.id || Self.inMemory.contains(kind)
    }

    private init(kind: Int, id: UInt64, isRootDisk: Bool) {
        self.kind = kind
        self.id = id
        self.isRootDisk = isRootDisk
    }
}

extension DiskIdentity: LosslessStringConvertible {
    /// The text form without spaces, for storage.
    public var description: String {
        "\(String(kind, radix: 16)):\(String(id, radix: 16)):\(isRootDisk ? "root" : "own")"
    }

    /// Parses the text of ``description``, or returns `nil` for other text.
    public init?(_ description: String) {
        let parts = description.split(separator: ":")
        guard parts.count == 3, let kind = Int(parts[0], radix: 16), let id = UInt64(parts[1], radix: 16),
            parts[2] == "root" || parts[2] == "own"
        else { return nil }
        self.init(kind: kind, id: id, isRootDisk: parts[2] == "root")
    }
}
