import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// A file with the number of photos that stayed in cameras whose card cannot be listed. The file preserves
/// the number across restarts.
///
/// An unreadable file is treated as empty, because its content expires after one day.
final class LeftInCameraStore: Sendable {
    private let path: String
    private let all: Mutex<[String: LeftInCamera]>

    /// - Parameter path: The path of the file, which may be missing.
    init(path: String) {
        self.path = path
        let data = FileManager.default.contents(atPath: path)
        all = Mutex(data.flatMap { try? JSONDecoder().decode([String: LeftInCamera].self, from: $0) } ?? [:])
    }

    /// The photos that stayed in a body, or `nil` if the body has no such photos or their entry has
    /// expired.
    subscript(body: BodyID, at now: Date) -> LeftInCamera? {
        all.withLock { $0[body.rawValue] }.flatMap { $0.isCurrent(at: now) ? $0 : nil }
    }

    /// Stores the photos that stayed in a body, and writes the file if they changed.
    ///
    /// - Throws: ``SystemCallError`` if the file cannot be written. The value is then kept in memory only.
    func save(_ left: LeftInCamera?, in body: BodyID, at now: Date) throws {
        try all.withLock { all in
            guard all[body.rawValue] != left else { return }
            all[body.rawValue] = left
            all = all.filter { $0.value.isCurrent(at: now) }
            let part = path + ".new"
            try DurableFile.remove(part)
            try DurableFile.write(Array(try JSONEncoder().encode(all)), new: part)
            try DurableFile.replace(path, with: part)
            try DurableFile.syncFolder(DurableFile.parent(of: path))
        }
    }
}
