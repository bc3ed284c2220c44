import FrameFastSystem
import Glibc
import Synchronization

/// A file that only takes room beside the ledger: given up when the disk is full, so that finished work can still be
/// written down. SQLite needs room even to change a row.
final class Ballast: Sendable {
    private let path: String
    private let bytes: Int
    private let isDown = Mutex(false)

    init(folder: String, bytes: Int) {
        path = folder + "/ballast"
        self.bytes = bytes
    }

    /// Lays it down when it is not there and there is room for it twice.
    func layDown() {
        isDown.withLock { isDown in
            guard !isDown, bytes > 0 else { return }
            if let there = try? FileReader(path), there.size >= UInt64(bytes) {
                isDown = true
                return
            }
            guard let free = try? DiskSpace.of(DurableFile.parent(of: path)).freeBytes,
                free > UInt64(bytes) * 2
            else { return }
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return }
            defer { close(file) }
            // Blocks and not only a size: a hole would give nothing back.
            guard posix_fallocate(file, 0, off_t(bytes)) == 0 else {
                unlink(path)
                return
            }
            isDown = true
        }
    }

    /// Gives it up.
    ///
    /// - Returns: whether that made room.
    func giveUp() -> Bool {
        isDown.withLock { isDown in
            guard isDown else { return false }
            isDown = false
            return unlink(path) == 0
        }
    }
}
