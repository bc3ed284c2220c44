import Foundation
import FrameFastModel

/// A small file that goes the way of a photo, to see whether a destination takes it. Removed here with its value.
final class ProbePhoto: Sendable {
    let item: UploadItem
    private let file: SmallFile

    /// Makes the file, with a name that nothing else has.
    ///
    /// - Parameter photo: Goes to this photo's folder, with its facts; `nil` for the top.
    init(like photo: UploadItem? = nil) throws(UploadFailure) {
        let id = UUID().uuidString.lowercased()
        let name = "framefast-probe-\(id).txt"
        let text = "FrameFast was here to test the destination, and removes this: \(id)\n"
        file = try SmallFile(Data(text.utf8), name: name, words: "The probe")
        let folder = photo?.remoteName.split(separator: "/").dropLast().joined(separator: "/") ?? ""
        var facts = photo?.facts ?? [:]
        facts[.probe] = "1"
        var item = file.item(
            folder.isEmpty ? name : "\(folder)/\(name)", jobID: 0, station: photo?.station ?? "", facts: facts
        )
        // No other file has it. By hand, what the server does with taken names is worth knowing.
        item.isNameChosen = photo != nil
        self.item = item
    }
}
