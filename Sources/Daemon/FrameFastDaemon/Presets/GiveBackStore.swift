import Foundation
import FrameFastModel
import FrameFastSystem

/// What a camera was set to before a session's preset.
struct GiveBackRecord: Codable, Hashable, Sendable {
    /// The session; what was there is given back when it is over.
    var session: SessionID
    var camera: CameraID
    /// Values by key, or by `raw.NAME`.
    var settings: [String: String]
}

/// What is to be given back, in a small file: a restart does not forget it.
struct GiveBackStore: Sendable {
    let path: String

    /// What was written last; nothing where that cannot be read.
    func load() -> [GiveBackRecord] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([GiveBackRecord].self, from: data)) ?? []
    }

    /// Writes the whole list, through to the disk.
    func save(_ records: [GiveBackRecord]) throws {
        let part = path + ".part"
        try DurableFile.remove(part)
        try DurableFile.write(Array(try JSONEncoder().encode(records)), new: part)
        try DurableFile.replace(path, with: part)
        try DurableFile.syncFolder(DurableFile.parent(of: path))
    }
}
