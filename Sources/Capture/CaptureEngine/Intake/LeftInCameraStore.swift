import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// The photos that sessions left in cameras whose card cannot be listed, in a file, so that a condition names them also after a
/// restart.
///
/// A file that cannot be read counts as empty: it serves people for a day only.
final class LeftInCameraStore: Sendable {
    private let path: String
    private let all: Mutex<[String: LeftInCamera]>

    /// - Parameter path: The file, which need not exist.
    init(path: String) {
        self.path = path
        let data = FileManager.default.contents(atPath: path)
        all = Mutex(data.flatMap { try? JSONDecoder().decode([String: LeftInCamera].self, from: $0) } ?? [:])
    }

    /// What is left in a body; `nil` for nothing, or when it was said for long enough.
    subscript(body: BodyID, at now: Date) -> LeftInCamera? {
        all.withLock { $0[body.rawValue] }.flatMap { $0.deservesAttention(at: now) ? $0 : nil }
    }

    /// Notes what is left in a body, on disk if that is news.
    ///
    /// - Throws: ``SystemCallError`` if the file cannot be written; it is known until the service ends then.
    func keep(_ left: LeftInCamera?, in body: BodyID, at now: Date) throws {
        try all.withLock { all in
            guard all[body.rawValue] != left else { return }
            all[body.rawValue] = left
            all = all.filter { $0.value.deservesAttention(at: now) }
            let part = path + ".new"
            try DurableFile.remove(part)
            try DurableFile.write(Array(try JSONEncoder().encode(all)), new: part)
            try DurableFile.replace(path, with: part)
            try DurableFile.syncFolder(DurableFile.parent(of: path))
        }
    }
}
