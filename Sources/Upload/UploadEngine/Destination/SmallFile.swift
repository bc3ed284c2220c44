import Crypto
import Foundation
import FrameFastModel

/// A small file of ours that goes the way of a photo. Removed here with its value.
final class SmallFile: Sendable {
    private let path: String
    private let content: Data

    /// Writes it to the temporary folder, under a name that nothing else has.
    ///
    /// - Parameter words: What it is, to begin a sentence: "The probe".
    init(_ content: Data, name: String, words: String) throws(UploadFailure) {
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try content.write(to: file, options: .withoutOverwriting)
        } catch {
            throw UploadFailure(
                .transient, "\(words) cannot be written here: \(error.localizedDescription).",
                nextStep: "Free some space on the disk of the temporary folder.")
        }
        path = file.path
        self.content = content
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What a destination gets of it.
    func item(_ remoteName: String, jobID: JobID, station: String, facts: Facts) -> UploadItem {
        UploadItem(
            jobID: jobID, localPath: path, bytes: UInt64(content.count),
            sha256: Hex.text(SHA256.hash(data: content)), station: station, remoteName: remoteName,
            facts: facts)
    }
}
