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
        // Rules at the server may depend on the extension.
        let file = photo?.remoteName.split(separator: "/").last ?? ""
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let name = "framefast-probe-\(id)" + (dot.map { String(file[$0...]) } ?? ".txt")
        let bytes = Data("FrameFast was here to test the destination, and removes this: \(id)\n".utf8)
        let local = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try bytes.write(to: local, options: .withoutOverwriting)
        } catch {
            throw UploadFailure(
                .transient, "The probe cannot be written here: \(error.localizedDescription).",
                nextStep: "Free some space on the disk of the temporary folder.")
        }
        let folder = photo?.remoteName.split(separator: "/").dropLast().joined(separator: "/") ?? ""
        var facts = photo?.facts ?? [:]
        facts[.probe] = "1"
        var item = UploadItem(
            jobID: 0, localPath: local.path, bytes: UInt64(bytes.count),
            sha256: Hex.text(SHA256.hash(data: bytes)),
            station: photo?.station ?? "", remoteName: folder.isEmpty ? name : "\(folder)/\(name)",
            facts: facts)
        // No other file has it, and none has had it. By hand, what the server does with taken names is worth knowing.
        item.isNameChosen = photo != nil
        item.isFirstTry = true
        self.item = item
    }

    deinit { try? FileManager.default.removeItem(atPath: item.localPath) }
}
