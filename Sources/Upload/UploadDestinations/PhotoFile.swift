import Crypto
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The open file of a photo during its upload. The file stays open until the last transfer that needs it
/// ends.
final class PhotoFile: Sendable {
    /// The threads that hash and read photos, outside Swift's own thread pool. The width is the number of
    /// photos at a time.
    private static let pool = BlockingPool(label: "framefast.upload.file", width: 4)
    private static let pieceBytes = 1 << 18
    /// The bytes to hash of one photo before the next photo gets the thread. Longer turns would make an
    /// upload look stalled.
    private static let turnBytes: UInt64 = 64 << 20

    let path: String
    private let file: FileReader
    /// The size of the file, in bytes. It equals the recorded size.
    var bytes: UInt64 { file.size }
    /// The time of the capture, in whole seconds since 1970. Destinations set it as the photo's modification
    /// time.
    var capturedAt: Int64 { file.modifiedAt }

    /// Opens the photo's file, and checks that its size is the recorded size.
    ///
    /// - Throws: A failure from ``LocalFailureMapping``.
    init(_ item: UploadItem) throws(UploadFailure) {
        path = item.localPath
        do { file = try FileReader(path) } catch { throw LocalFailureMapping.failure(error, item.localPath) }
        guard bytes == item.bytes else { throw LocalFailureMapping.wrongSize(bytes, of: item.bytes, path) }
    }

    /// Reads into `buffer`. Returns the number of bytes read, fewer at the end of the file, or `nil` if the
    /// disk fails.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        try? file.read(at: offset, into: buffer)
    }

    /// Reads exactly `count` bytes at `offset`.
    func read(at offset: UInt64, count: Int) async throws(UploadFailure) -> [UInt8] {
        let result = try? await Self.pool.run { [self] in try file.read(at: offset, count: count) }
        guard let result, result.count == count else { throw LocalFailureMapping.unreadable(path) }
        return result
    }

    /// Returns the MD5 of a range. The header before the bytes carries it, so this reads the range first
    /// (later reads hit the page cache).
    func md5(at offset: UInt64 = 0, count: UInt64? = nil) async throws(UploadFailure) -> [UInt8] {
        try await hash(Insecure.MD5(), at: offset, count: count ?? bytes)
    }

    /// Throws ``UploadFailure/Reason/fileChanged`` if the file's bytes differ from the saved photo. Sending a
    /// damaged copy again helps only while this computer still has the original bytes.
    func checkUnchanged(_ item: UploadItem) async throws(UploadFailure) {
        guard item.sha256.utf8.count == 64, try await sha256() != item.sha256 else { return }
        throw LocalFailureMapping.changed(path)
    }

    /// Returns the SHA-256 of the first `count` bytes, or of the whole file if `count` is `nil`.
    func sha256(count: UInt64? = nil) async throws(UploadFailure) -> String {
        Hex.text(try await hash(SHA256(), at: 0, count: count ?? bytes))
    }

    /// The smallest part file that can be matched to a photo, in bytes. Photos of one camera share their
    /// first bytes.
    private static let knownBytesMin: UInt64 = 64 << 10

    /// Whether a file of `bytes` bytes may be part of the photo, left by a broken connection. Small files
    /// never qualify.
    static func mayBePart(_ bytes: UInt64, of photo: UInt64) -> Bool {
        bytes >= knownBytesMin && bytes < photo
    }

    /// Whether a file with this size and SHA-256 is a part of the photo, left by a broken connection.
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

    /// Returns `function`, updated with the bytes of a range, or `nil` if the disk fails.
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
