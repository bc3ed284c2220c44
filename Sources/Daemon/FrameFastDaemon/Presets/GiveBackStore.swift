import Foundation
import FrameFastModel
import FrameFastSystem

/// The settings of a camera before a session's preset.
struct GiveBackRecord: Codable, Hashable, Sendable {
    /// The session. The camera gets the settings back when it is over.
    var session: SessionID
    var camera: CameraID
    /// The values by key, or by `raw.NAME`.
    var settings: [String: String]
}

/// A small file with the settings that cameras have to get back, so a restart does not forget them.
struct GiveBackStore: Sendable {
    let path: String

    /// Returns the records of the last save, or none if the file can't be read.
    func load() -> [GiveBackRecord] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([GiveBackRecord].self, from: data)) ?? []
    }

    /// Replaces the file and writes it through to the disk.
    func save(_ records: [GiveBackRecord]) throws {
        let part = path + ".part"
        try DurableFile.remove(part)
        try DurableFile.write(Array(try JSONEncoder().encode(records)), new: part)
        try DurableFile.replace(path, with: part)
        try DurableFile.syncFolder(DurableFile.parent(of: path))
    }
}
