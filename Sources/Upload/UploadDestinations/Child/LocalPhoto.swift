import FrameFastSystem
import Glibc
import UploadEngine

/// The file of a photo that is on its way: opened once, read in pieces away from Swift's own threads.
final class LocalPhoto: Sendable {
    /// Size, as recorded and as found.
    let bytes: UInt64
    private let descriptor: Int32
    private let path: String
    private static let pool = BlockingPool(label: "framefast.photo-read", width: 4)

    /// Opens the photo of an item.
    ///
    /// - Throws: what ``LocalTrouble`` makes of it.
    init(_ item: UploadItem) throws(UploadFailure) {
        let descriptor = open(item.localPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw LocalTrouble.failure(number: errno, item.localPath)
        }
        var information = stat()
        let isKnown = fstat(descriptor, &information) == 0
        let error = errno
        self.descriptor = descriptor
        path = item.localPath
        bytes = UInt64(max(information.st_size, 0))
        // From here on `deinit` closes it.
        guard isKnown else { throw LocalTrouble.failure(number: error, path) }
        guard bytes == item.bytes else { throw LocalTrouble.wrongSize(bytes, of: item.bytes, path) }
    }

    deinit { close(descriptor) }

    /// Reads `count` bytes at `offset`; never fewer.
    func read(at offset: UInt64, count: Int) async throws(UploadFailure) -> [UInt8] {
        let result: [UInt8]?
        do {
            result = try await Self.pool.run { [self] in
                var failed = false
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                    while filled < count, let base = buffer.baseAddress {
                        let got = pread(
                            descriptor, base + filled, count - filled, off_t(offset) + off_t(filled))
                        if got < 0 && errno == EINTR { continue }
                        failed = got <= 0
                        guard got > 0 else { return }
                        filled += got
                    }
                }
                return failed ? nil : bytes
            }
        } catch { result = nil }
        guard let result else { throw LocalTrouble.unreadable(path) }
        return result
    }
}
