import Foundation
import FrameFastSystem

/// A file with every folder that photos were saved in, one path per line. The package prints these folders
/// when it is purged.
struct PhotoFolderList {
    /// The maximum number of folders in the list, far more than one computer uses. The oldest are removed
    /// first.
    private static let foldersMax = 100

    private let path: String

    init(stateDirectory: String) { path = stateDirectory + "/photo-folders" }

    /// The folders, oldest first.
    var folders: [String] {
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Adds a folder, unless it is in the list. A path with a line break is ignored.
    func add(_ folder: String) throws(SystemCallError) {
        guard !folder.contains(where: \.isNewline), !folders.contains(folder) else { return }
        let lines = (folders + [folder]).suffix(Self.foldersMax).map { $0 + "\n" }
        let part = "\(path).\(FolderMark.fresh()).part"
        do throws(SystemCallError) {
            try DurableFile.write(Array(lines.joined().utf8), new: part)
            try DurableFile.replace(path, with: part)
        } catch {
            try? DurableFile.remove(part)
            throw error
        }
    }
}
