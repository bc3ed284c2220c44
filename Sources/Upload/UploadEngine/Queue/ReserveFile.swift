import FrameFastSystem
import Glibc
import Synchronization

/// A file that reserves disk space next to the ledger. It is deleted when the disk is full, because SQLite
/// needs disk space even to change a row.
final class ReserveFile: Sendable {
    private let path: String
    private let bytes: Int
    private let isCreated = Mutex(false)

    init(folder: String, bytes: Int) {
        path = folder + "/ballast"
        self.bytes = bytes
    }

    /// Creates the file if it does not exist and the disk has twice its size free.
    func create() {
        isCreated.withLock { isCreated in
            guard !isCreated, bytes > 0 else { return }
            if let there = try? FileReader(path), there.size >= UInt64(bytes) {
                isCreated = true
                return
            }
            guard let free = try? DiskSpace.of(DurableFile.parent(of: path)).freeBytes,
                free > UInt64(bytes) * 2
            else { return }
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return }
            defer { close(file) }
            // Allocates blocks. A sparse file would free no space when deleted.
            guard posix_fallocate(file, 0, off_t(bytes)) == 0 else {
                unlink(path)
                return
            }
            isCreated = true
        }
    }

    /// Deletes the file.
    ///
    /// - Returns: Whether this freed disk space.
    func delete() -> Bool {
        isCreated.withLock { isCreated in
            guard isCreated else { return false }
            isCreated = false
            return unlink(path) == 0
        }
    }
}
