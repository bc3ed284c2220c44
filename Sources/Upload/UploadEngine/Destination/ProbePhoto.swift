import Crypto
import Foundation
import FrameFastModel

/// A small file that goes the way of a photo, to see whether a destination takes it. Removed here with its value.
final class ProbePhoto: Sendable {
    let item: UploadItem

    /// Makes the file, with a name that nothing else has.
    ///
    /// - Parameter photo: Goes to this photo's folder, with its facts; `nil` for the top.
    init(like photo: UploadItem? = nil) throws(UploadFailure) {
        let id = UUID().uuidString.lowercased()
        let name = "framefast-probe-\(id).txt"
        let bytes = Data("FrameFast was here to test the destination, and removes this: \(id)\n".utf8)
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try bytes.write(to: file, options: .withoutOverwriting)
        } catch {
            throw UploadFailure(
                .transient, "The probe cannot be written here: \(error.localizedDescription).",
                nextStep: "Free some space on the disk of the temporary folder.")
        }
        let folder = photo?.remoteName.split(separator: "/").dropLast().joined(separator: "/") ?? ""
        var facts = photo?.facts ?? [:]
        facts[.probe] = "1"
        var item = UploadItem(
            jobID: 0, localPath: file.path, bytes: UInt64(bytes.count),
            sha256: Hex.text(SHA256.hash(data: bytes)),
            station: photo?.station ?? "", remoteName: folder.isEmpty ? name : "\(folder)/\(name)",
            facts: facts)
        // No other file has it. By hand, what the server does with taken names is worth knowing.
        item.isNameChosen = photo != nil
        self.item = item
    }

    deinit { try? FileManager.default.removeItem(atPath: item.localPath) }
}
