import Crypto
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The open file of a photo during its upload. The file closes after the last transfer that uses it.
final class PhotoFile: Sendable {
    /// The threads that hash and read photos, outside Swift's thread pool. Each thread handles one photo at a
    /// time.
    private static let pool = BlockingPool(label: "framefast.upload.file", width: 4)
    private static let pieceBytes = 1 << 18
    /// The number of bytes to hash of one photo before the thread switches to another photo. With a larger
    /// number, waiting uploads would appear to be stalled.
    private static let turnBytes: UInt64 = 64 << 20

    let path: String
    private let file: FileReader
    /// The size of the file in bytes, which is equal to the recorded size.
    var bytes: UInt64 { file.size }
    /// The modification time of the file, in whole seconds since 1970, which is the capture time.
    /// Destinations set it as the modification time of the copy.
    var capturedAt: Int64 { file.modifiedAt }

    /// Opens the photo's file, and checks its size.
    ///
    /// - Throws: A failure from ``LocalFailureMapping``.
    init(_ item: UploadItem) throws(UploadFailure) {
        path = item.localPath
        do { file = try FileReader(path) } catch { throw LocalFailureMapping.failure(error, item.localPath) }
        guard bytes == item.bytes else { throw LocalFailureMapping.wrongSize(bytes, of: item.bytes, path) }
    }

    /// Reads bytes at `offset` into `buffer`. Returns the number of bytes, which is smaller than the buffer
    /// at the end of the file. Returns `nil` after a disk error.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        try? file.read(at: offset, into: buffer)
    }

    /// Reads exactly `count` bytes at `offset`.
    func read(at offset: UInt64, count: Int) async throws(UploadFailure) -> [UInt8] {
        let result = try? await Self.pool.run { [self] in try file.read(at: offset, count: count) }
        guard let result, result.count == count else { throw LocalFailureMapping.unreadable(path) }
        return result
    }

    /// Returns the MD5 of a range. A request header contains this MD5 and is sent before the body, so the
    /// range is read twice. The second read uses the page cache.
    func md5(at offset: UInt64 = 0, count: UInt64? = nil) async throws(UploadFailure) -> [UInt8] {
        try await hash(Insecure.MD5(), at: offset, count: count ?? bytes)
    }

    /// Throws ``UploadFailure/Reason/fileChanged`` if the file's bytes differ from the saved photo. Called
    /// after a damaged transfer, because a retry can succeed only if the local bytes are intact.
    func checkUnchanged(_ item: UploadItem) async throws(UploadFailure) {
        guard item.sha256.utf8.count == 64, try await sha256() != item.sha256 else { return }
        throw LocalFailureMapping.changed(path)
    }

    /// Returns the SHA-256 of the first `count` bytes, or of the whole file if `count` is `nil`.
    func sha256(count: UInt64? = nil) async throws(UploadFailure) -> String {
        Hex.text(try await hash(SHA256(), at: 0, count: count ?? bytes))
    }

    /// The smallest size at which a part file identifies its photo, in bytes. A smaller part proves nothing,
    /// because all photos of one camera have the same first bytes.
    private static let knownBytesMin: UInt64 = 64 << 10

    /// Returns whether a file of `bytes` bytes may be a part of the photo after an interrupted transfer.
    /// Returns `false` for small files.
    static func mayBePart(_ bytes: UInt64, of photo: UInt64) -> Bool {
        bytes >= knownBytesMin && bytes < photo
    }

    /// Returns whether a file with this size and SHA-256 is a part of the photo after an interrupted
    /// transfer.
    func matchesPart(_ part: (bytes: UInt64, sha256: String)?) async throws(UploadFailure) -> Bool {
        guard let part, Self.mayBePart(part.bytes, of: bytes) else { return false }
        return try await sha256(count: part.bytes) == part.sha256
    }

    private func hash<Function: HashFunction & Sendable>(
        _ function: Function, at start: UInt64, count: UInt64
    ) async throws(UploadFailure) -> [UInt8] {
        let (activity, end) = (UploadActivity.current, start + count)
        var (function, offset) = (function, start)
        repeat {
            let range = offset..<min(offset + Self.turnBytes, end)
            let next = await Self.pool.run { [function] in self.hashed(function, range, activity) }
            if Task.isCancelled { throw UploadFailure.stopped }
            guard let next else { throw LocalFailureMapping.unreadable(path) }
            (function, offset) = (next, range.upperBound)
        } while offset < end
        return Array(function.finalize())
    }

    /// Returns `function` updated with the bytes of a range, or `nil` after a disk error.
    private func hashed<Function: HashFunction>(
        _ function: Function, _ range: Range<UInt64>, _ activity: UploadActivity
    ) -> Function? {
        var function = function
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let want = Int(min(UInt64(Self.pieceBytes), range.upperBound - offset))
            let got = piece.withUnsafeMutableBytes {
                self.read(at: offset, into: .init(rebasing: $0[..<want]))
            }
            guard let got, got > 0 else { return nil }
            piece.withUnsafeBytes { function.update(bufferPointer: .init(rebasing: $0[..<got])) }
            offset += UInt64(got)
            activity.report()
        }
        return function
    }
}
