import Foundation
import FrameFastModel
import FrameFastSystem

/// The settings of a camera before a session's preset was applied.
struct GiveBackRecord: Codable, Hashable, Sendable {
    /// The session. The settings are restored when the session ends.
    var session: SessionID
    var camera: CameraID
    /// The serial number of the body, or `nil` if it is unknown.
    var serial: String?
    /// The values by key, or by `raw.NAME`.
    var settings: [String: String]
}

/// A small file with the settings that must be restored on cameras. The file survives a restart.
struct GiveBackStore: Sendable {
    let path: String

    /// Returns the records of the last save, or an empty list if the file cannot be read.
    func load() -> [GiveBackRecord] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([GiveBackRecord].self, from: data)) ?? []
    }

    /// Replaces the file and syncs the change to the disk.
    func save(_ records: [GiveBackRecord]) throws {
        let part = path + ".part"
        try DurableFile.remove(part)
        try DurableFile.write(Array(try JSONEncoder().encode(records)), new: part)
        try DurableFile.replace(path, with: part)
        try DurableFile.syncFolder(DurableFile.parent(of: path))
    }
}
