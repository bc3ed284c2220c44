import Crypto
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The file of a photo that is on its way: opened once, and open until the last transfer that needs it has ended.
final class PhotoFile: Sendable {
    /// Photos that are hashed or read at a time, away from Swift's own threads.
    private static let pool = BlockingPool(label: "framefast.upload.file", width: 4)
    private static let pieceBytes = 1 << 18
    /// The bytes of one photo that are hashed before the next photo gets the thread: a long wait would look like a hang.
    private static let turnBytes: UInt64 = 64 << 20

    let path: String
    private let file: FileReader
    /// Size, as recorded and as found.
    var bytes: UInt64 { file.size }
    /// Time of the capture, in whole seconds since 1970: photos are saved with it as their modification time.
    var capturedAt: Int64 { file.modifiedAt }

    /// Opens a photo, and refuses one that is not the photo that was saved.
    ///
    /// - Throws: what ``LocalTrouble`` makes of it.
    init(_ item: UploadItem) throws(UploadFailure) {
        path = item.localPath
        do { file = try FileReader(path) } catch { throw LocalTrouble.failure(error, item.localPath) }
        guard bytes == item.bytes else { throw LocalTrouble.wrongSize(bytes, of: item.bytes, path) }
    }

    /// Reads into `buffer`; fewer bytes at the end, `nil` when the disk fails.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        try? file.read(at: offset, into: buffer)
    }

    /// Reads `count` bytes at `offset`; never fewer.
    func read(at offset: UInt64, count: Int) async throws(UploadFailure) -> [UInt8] {
        let result = try? await Self.pool.run { [self] in try file.read(at: offset, count: count) }
        guard let result, result.count == count else { throw LocalTrouble.unreadable(path) }
        return result
    }

    /// MD5 of a range: what has to be in the header before the bytes, so it is computed before (from the page cache).
    func md5(at offset: UInt64 = 0, count: UInt64? = nil) async throws(UploadFailure) -> [UInt8] {
        try await hash(Insecure.MD5(), at: offset, count: count ?? bytes)
    }

    /// Fails with ``UploadFailure/Reason/fileChanged`` when the file's bytes are not those that were saved. A copy that
    /// differs from the photo is sent again, which helps only if this computer still has the photo.
    func checkStillThePhoto(_ item: UploadItem) async throws(UploadFailure) {
        guard item.sha256.utf8.count == 64, try await sha256() != item.sha256 else { return }
        throw LocalTrouble.changed(path)
    }

    /// SHA-256 of its first `count` bytes; of all without.
    func sha256(count: UInt64? = nil) async throws(UploadFailure) -> String {
        Hex.text(try await hash(SHA256(), at: 0, count: count ?? bytes))
    }

    /// Fewest bytes by which a part of a photo is known again: two photos of one camera begin alike.
    private static let knownBytesMin: UInt64 = 64 << 10

    /// Whether a file of this length may be a part of the photo that a broken connection left. A small photo is never known
    /// by a part.
    static func mayBePart(_ bytes: UInt64, of photo: UInt64) -> Bool {
        bytes >= knownBytesMin && bytes < photo
    }

    /// Whether a file with this length and SHA-256 is a part of the photo that a broken connection left.
    func hasBeginning(_ part: (bytes: UInt64, sha256: String)?) async throws(UploadFailure) -> Bool {
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
            guard let next else { throw LocalTrouble.unreadable(path) }
            (function, offset) = (next, range.upperBound)
        } while offset < end
        return Array(function.finalize())
    }

    /// The hash function with the bytes of a range; `nil` when the disk fails.
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
