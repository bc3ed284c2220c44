import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Store

/// Checks of a photo's local file before an upload.
enum LocalFile {
    /// The number of bytes that are hashed at a time.
    private static let pieceBytes = 1 << 20

    /// Checks that the file is still the one that was saved.
    ///
    /// For a file that was not modified since then, the check compares only the size. A second hash would
    /// cost more than sending the file on a fast line. The destination verifies the sent bytes against the
    /// recorded hash.
    ///
    /// - Parameters:
    ///   - byHash: Whether to read and hash the file in any case.
    ///   - activity: Receives a report for each piece that is read.
    /// - Throws: The failure of the upload, if the file is missing, changed or unreadable.
    static func check(
        _ capture: CaptureRecord, byHash: Bool = false, activity: UploadActivity = .current
    ) throws(UploadFailure) {
        guard let path = capture.path, let bytes = capture.bytes, let sha256 = capture.sha256 else {
            throw UploadFailure(.permanent(.fileGone), "The photo has no file on this computer.")
        }
        do {
            let file = try FileReader(path)
            guard file.size == bytes else {
                throw LocalFailureMapping.wrongSize(file.size, of: bytes, path).suggestingResend(
                    of: capture.id)
            }
            guard byHash || wasChanged(path, since: capture.savedAt) else { return }
            var hash = SHA256()
            var offset: UInt64 = 0
            while offset < bytes {
                let piece = try file.read(at: offset, count: pieceBytes)
                if piece.isEmpty { break }
                hash.update(data: piece)
                offset += UInt64(piece.count)
                activity.report()
            }
            let found = Hex.text(hash.finalize())
            guard found == sha256 else {
                throw LocalFailureMapping.changed(path).suggestingResend(of: capture.id)
            }
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            throw LocalFailureMapping.failure(error, path)
        } catch {
            throw LocalFailureMapping.unreadable(path)
        }
    }

    /// Checks the file on a thread of `files`. A disk that hangs then blocks no thread of Swift's pool.
    static func check(_ capture: CaptureRecord, on files: BlockingPool) async throws(UploadFailure) {
        let activity = UploadActivity.current
        try await files.run { () throws(UploadFailure) in try check(capture, activity: activity) }
    }

    private static func wasChanged(_ path: String, since saved: Date?) -> Bool {
        guard let saved else { return true }
        var information = stat()
        guard lstat(path, &information) == 0 else { return true }
        return Double(information.st_mtim.tv_sec) > saved.timeIntervalSince1970 + 1
    }
}

extension UploadFailure {
    /// Returns the failure with a next step that offers both versions: the edited file and the saved one.
    fileprivate func suggestingResend(of id: CaptureID) -> UploadFailure {
        var failure = self
        failure.nextStep =
            "To send the file as it is now: 'framefast queue add \(id) --to NAME', with the destination's name. To send the "
            + "photo as it was saved, bring that file back and retry."
        return failure
    }
}
