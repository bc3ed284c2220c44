import Foundation
import FrameFastSystem
import UploadEngine

/// What lies beside a photo in a destination's folder.
extension UploadCompanion {
    /// Whether nothing has its name, or it has it itself from an earlier try.
    func fits(beside photo: String, in root: OpenFolder) throws(SystemCallError) -> Bool {
        guard let name = name(beside: photo) else { return true }
        return try OwnFile.look(root.path(name)) { $0 == bytes } != .other
    }

    /// Writes it, through to the disk.
    ///
    /// - Returns: whether it is there; `false` when another file has its name.
    func place(
        beside photo: String, in root: OpenFolder, station: String
    ) throws(SystemCallError) -> Bool {
        guard let name = name(beside: photo) else { return true }
        switch try OwnFile.look(root.path(name), isOurs: { $0 == bytes }) {
        case .ours: return true
        case .other: return false
        case .missing:
            let part = root.path(
                "\(FolderIdentity.workFolder)/\(station)-\(UUID().uuidString.lowercased()).part")
            try DurableFile.write(bytes, new: part)
            return try OwnFile.place(part, as: root.path(name)) { $0 == bytes }
        }
    }

    /// Takes it away again.
    func remove(beside photo: String, in root: OpenFolder) throws(SystemCallError) {
        guard let name = name(beside: photo) else { return }
        try OwnFile.remove(root.path(name)) { $0 == bytes }
    }
}
