import FrameFastSystem
import Glibc
import Synchronization

/// A file next to the ledger that reserves disk space. The service deletes the file when the disk is full,
/// because SQLite needs disk space for every change.
final class ReserveFile: Sendable {
    private let path: String
    private let bytes: Int
    private let isCreated = Mutex(false)

    init(folder: String, bytes: Int) {
        path = folder + "/ballast"
        self.bytes = bytes
    }

    /// Creates the file if it does not exist and the free disk space is more than twice its size.
    func create() {
        isCreated.withLock { isCreated in
            guard !isCreated, bytes > 0 else { return }
            if let existing = try? FileReader(path), existing.size >= UInt64(bytes) {
                isCreated = true
                return
            }
            guard let free = try? DiskSpace.of(DurableFile.parent(of: path)).freeBytes,
                free > UInt64(bytes) * 2
            else { return }
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return }
            defer { close(file) }
            // Allocates the blocks. Deleting a sparse file would free no space.
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
