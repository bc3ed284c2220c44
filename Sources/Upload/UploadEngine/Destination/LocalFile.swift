import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Store

/// The photo on this computer, before it is sent.
enum LocalFile {
    /// Bytes that are hashed at a time.
    private static let pieceBytes = 1 << 20

    /// Whether the file is still the one that was saved.
    ///
    /// A file that was not written to since then is told by its size alone: hashing each one a second time would cost
    /// more than sending it on a fast line, and what is sent is compared with the hash on the other side.
    ///
    /// - Parameter byHash: Reads the file in any case.
    static func check(_ capture: CaptureRecord, byHash: Bool = false) throws(UploadFailure) {
        guard let path = capture.path, let bytes = capture.bytes, let sha256 = capture.sha256 else {
            throw UploadFailure(.permanent(.fileGone), "The photo has no file on this computer.")
        }
        do {
            let file = try FileReader(path)
            guard file.size == bytes else {
                throw LocalTrouble.wrongSize(file.size, of: bytes, path)
            }
            guard byHash || wasChanged(path, since: capture.savedAt) else { return }
            guard try hash(file) == sha256 else { throw LocalTrouble.changed(path) }
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            throw LocalTrouble.failure(error, path)
        } catch {
            throw LocalTrouble.unreadable(path)
        }
    }

    /// The same, on a thread of `files`: a disk that hangs holds none of Swift's own.
    static func check(_ capture: CaptureRecord, on files: BlockingPool) async throws(UploadFailure) {
        try await files.run { () throws(UploadFailure) in try check(capture) }
    }

    /// Size and SHA-256 of a file of ours that the ledger has no record of.
    static func facts(of path: String) throws(UploadFailure) -> (bytes: UInt64, sha256: String) {
        do throws(SystemCallError) {
            let file = try FileReader(path)
            return (file.size, try hash(file))
        } catch { throw LocalTrouble.failure(error, path) }
    }

    private static func hash(_ file: borrowing FileReader) throws(SystemCallError) -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while offset < file.size {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { break }
            hash.update(data: piece)
            offset += UInt64(piece.count)
        }
        return Hex.text(hash.finalize())
    }

    private static func wasChanged(_ path: String, since saved: Date?) -> Bool {
        guard let saved else { return true }
        var information = stat()
        guard lstat(path, &information) == 0 else { return true }
        return Double(information.st_mtim.tv_sec) > saved.timeIntervalSince1970 + 1
    }
}
