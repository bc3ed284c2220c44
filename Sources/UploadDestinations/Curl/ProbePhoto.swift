import Crypto
import Foundation
import UploadEngine

/// A small file for `destinations test`: it goes the way of a photo.
struct ProbePhoto: ~Copyable {
    let item: UploadItem

    /// Makes the file, with a name that nothing else has.
    init() throws(UploadFailure) {
        let id = UUID().uuidString.lowercased()
        let bytes = Data("FrameFast was here to test the destination, and removes this: \(id)\n".utf8)
        let file = FileManager.default.temporaryDirectory.appending(path: "framefast-probe-\(id).txt")
        do {
            try bytes.write(to: file, options: .withoutOverwriting)
        } catch {
            throw UploadFailure(
                .faulty, "The probe cannot be written here: \(error.localizedDescription).",
                nextStep: "Make room on the disk of the temporary folder.")
        }
        item = UploadItem(
            jobID: 0, localPath: file.path, bytes: UInt64(bytes.count),
            sha256: Hex.text(SHA256.hash(data: bytes)),
            remoteName: "framefast-probe-\(id).txt")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: item.localPath)
    }
}
