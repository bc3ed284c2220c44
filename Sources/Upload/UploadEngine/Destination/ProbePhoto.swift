import Crypto
import Foundation
import FrameFastModel

/// A small temporary file that is uploaded like a photo to test a destination. Deinitialization deletes the
/// local file.
final class ProbePhoto: Sendable {
    let item: UploadItem

    /// Creates the file with a unique name.
    ///
    /// - Parameter photo: The photo whose remote folder and facts the probe uses. If `nil`, the probe goes to
    ///   the destination's top folder.
    /// - Throws: A transient failure if the file cannot be written.
    init(like photo: UploadItem? = nil) throws(UploadFailure) {
        let id = UUID().uuidString.lowercased()
        // Servers may accept only some extensions.
        let file = photo?.remoteName.split(separator: "/").last ?? ""
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let name = "framefast-probe-\(id)" + (dot.map { String(file[$0...]) } ?? ".txt")
        let bytes = Data("FrameFast uploaded this file to test the destination, and removes it: \(id)\n".utf8)
        let local = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try bytes.write(to: local, options: .withoutOverwriting)
        } catch {
            throw UploadFailure(
                .transient, "The probe cannot be written on this computer: \(error.localizedDescription).",
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
        // The name is unique, so a probe for a refused photo need not test whether the server replaces files.
        // A manual test (`photo` is `nil`) tests this.
        item.isNameChosen = photo != nil
        item.isFirstTry = true
        self.item = item
    }

    deinit { try? FileManager.default.removeItem(atPath: item.localPath) }
}
