import Crypto
import FrameFastSystem
import Glibc
import UploadEngine

/// The photo's file, open for reading until the last transfer that needs it has ended.
final class LocalFile: Sendable {
    private static let hashing = BlockingPool(label: "framefast.upload.hash", width: 2)
    private static let pieceBytes = 1 << 18

    let path: String
    let bytes: UInt64
    private let descriptor: Int32

    /// Opens a photo, and refuses one that is not the photo that was saved.
    init(_ item: UploadItem) throws(UploadFailure) {
        path = item.localPath
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw LocalTrouble.failure(number: errno, path)
        }
        var information = stat()
        let isKnown = fstat(descriptor, &information) == 0
        let error = errno
        bytes = UInt64(max(information.st_size, 0))
        guard isKnown else { throw LocalTrouble.failure(number: error, path) }
        guard bytes == item.bytes else { throw LocalTrouble.wrongSize(bytes, of: item.bytes, path) }
    }

    deinit { close(descriptor) }

    /// Reads into `buffer`; fewer bytes at the end, `nil` when the disk fails.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if got >= 0 { return got }
            guard errno == EINTR else { return nil }
        }
    }

    /// MD5 of a range: what has to be in the header before the bytes, so it is computed before (from the page cache).
    func md5(at offset: UInt64 = 0, count: UInt64? = nil) async throws(UploadFailure) -> [UInt8] {
        try await hash(Insecure.MD5(), at: offset, count: count ?? bytes)
    }

    /// Fails with ``UploadFailure/Reason/fileChanged`` when the file's bytes are not those that were saved.
    func checkStillThePhoto(_ item: UploadItem) async throws(UploadFailure) {
        guard item.sha256.utf8.count == 64, try await sha256() != item.sha256 else { return }
        throw LocalTrouble.changed(path)
    }

    /// SHA-256 of its first `count` bytes; of all without.
    func sha256(count: UInt64? = nil) async throws(UploadFailure) -> String {
        Hex.text(try await hash(SHA256(), at: 0, count: count ?? bytes))
    }

    private func hash<Function: HashFunction & Sendable>(
        _ function: Function, at start: UInt64, count: UInt64
    ) async throws(UploadFailure) -> [UInt8] {
        let digest = try? await Self.hashing.run { () -> [UInt8]? in
            var function = function
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            var offset = start
            while offset < start + count {
                let want = Int(min(UInt64(Self.pieceBytes), start + count - offset))
                let got = piece.withUnsafeMutableBytes {
                    self.read(at: offset, into: .init(rebasing: $0[..<want]))
                }
                guard let got, got > 0 else { return nil }
                piece.withUnsafeBytes { function.update(bufferPointer: .init(rebasing: $0[..<got])) }
                offset += UInt64(got)
            }
            return Array(function.finalize())
        }
        if Task.isCancelled { throw UploadFailure.stopped }
        guard let digest else { throw LocalTrouble.unreadable(path) }
        return digest
    }
}
