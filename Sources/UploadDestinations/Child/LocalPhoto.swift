import FrameFastSystem
import Glibc
import SystemPackage
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
    /// - Throws: a hopeless failure when the file is gone or has another size than recorded.
    init(_ item: UploadItem) throws(UploadFailure) {
        let descriptor = open(item.localPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            let reason = Errno(rawValue: errno)
            throw UploadFailure(
                .hopeless(.fileGone), "cannot open \(item.localPath): \(reason)",
                nextStep: "Put the file back, or drop the job.")
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0, UInt64(max(information.st_size, 0)) == item.bytes else {
            close(descriptor)
            throw UploadFailure(
                .hopeless(.fileGone),
                "\(item.localPath) is not the file that was saved: it has \(information.st_size) bytes in place of \(item.bytes)",
                nextStep: "Put the saved file back, or drop the job.")
        }
        self.descriptor = descriptor
        path = item.localPath
        bytes = item.bytes
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
        guard let result else {
            throw UploadFailure(
                .hopeless(.fileGone), "cannot read \(path) to its end",
                nextStep: "Check the disk that holds it.")
        }
        return result
    }
}
