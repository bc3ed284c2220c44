import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc

/// Checks of a photo's local file before an upload.
enum LocalFile {
    /// The size of the chunks in which a file is hashed, in bytes.
    private static let pieceBytes = 1 << 20

    /// Checks that the file still has the content of the saved photo.
    ///
    /// If the file was not modified since it was saved, the check compares only the size. Hashing the file
    /// again would take longer than sending it over a fast network. The destination verifies the sent bytes
    /// with the recorded hash.
    ///
    /// - Parameters:
    ///   - byHash: Whether to read and hash the file even if its size and modification time are unchanged.
    ///   - activity: Receives a report after each chunk.
    /// - Throws: The upload's failure if the file is missing, changed or unreadable.
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

    /// Checks the file on a thread of `files`, because a hanging disk would block a thread of Swift's pool.
    ///
    /// - Throws: The upload's failure, or ``UploadFailure/stopped`` if the task was cancelled before the end
    ///   of the check.
    static func check(_ capture: CaptureRecord, on files: BlockingPool) async throws(UploadFailure) {
        let activity = UploadActivity.current
        try await files.run { () throws(UploadFailure) in try check(capture, activity: activity) }
        if Task.isCancelled { throw UploadFailure.stopped }
    }

    private static func wasChanged(_ path: String, since saved: Date?) -> Bool {
        guard let saved else { return true }
        var information = stat()
        guard lstat(path, &information) == 0 else { return true }
        return Double(information.st_mtim.tv_sec) > saved.timeIntervalSince1970 + 1
    }
}

extension UploadFailure {
    /// Returns the failure with a next step for each version: the edited file and the saved file.
    fileprivate func suggestingResend(of id: CaptureID) -> UploadFailure {
        var failure = self
        failure.nextStep =
            "To send the edited file: 'framefast queue add \(id) --to NAME', with the destination's name. To send the "
            + "saved photo, restore its file and retry."
        return failure
    }
}
