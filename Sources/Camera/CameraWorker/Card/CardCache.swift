import FoundationEssentials
import FrameFastModel
import Glibc
import SystemIO

/// A cache of the objects on a large card, saved in the worker's home folder. An interrupted listing resumes
/// from the cache. If the cache is lost, the worker reads the card again.
struct CardCache {
    /// The maximum number of cached objects. About 5,000 objects take a megabyte.
    private static let objectsMax = 100_000

    private struct Entry: Codable {
        var handle: UInt32
        var object: CameraObject
    }

    private let path: String
    private let camera: String
    private var objects: [UInt32: CameraObject] = [:]
    private var hasFile = false
    private var isDiscarded = false

    /// Loads the cache, if it was saved for the same camera.
    ///
    /// - Parameters:
    ///   - camera: The camera's identity: maker, model and serial number.
    ///   - home: The folder of the file.
    init(camera: String, home: String = WorkerOptions.home) {
        self.camera = camera
        path = home + "/card.jsonl"
        guard let file = try? Data(contentsOf: URL(filePath: path)) else { return }
        var lines = file.split(separator: UInt8(ascii: "\n"))[...]
        guard lines.popFirst().map({ String(decoding: $0, as: UTF8.self) }) == camera else { return }
        hasFile = true
        let decoder = JSONDecoder()
        // If the worker died during a write, the last line is incomplete.
        for line in lines.prefix(Self.objectsMax) {
            guard let entry = try? decoder.decode(Entry.self, from: line) else { continue }
            objects[entry.handle] = entry.object
        }
    }

    /// The object that an earlier connection read under this handle, or `nil` if the cache does not have the
    /// object.
    subscript(handle: UInt32) -> CameraObject? { objects[handle] }

    /// Appends objects that were read from the card.
    mutating func append(_ read: [(handle: UInt32, object: CameraObject)]) {
        let new = read.filter { objects[$0.handle] == nil }
        guard !isDiscarded, !new.isEmpty, objects.count + new.count <= Self.objectsMax else { return }
        var text = Data()
        if !hasFile { text.append(contentsOf: camera.utf8) }
        let encoder = JSONEncoder()
        for entry in new {
            guard let line = try? encoder.encode(Entry(handle: entry.handle, object: entry.object)) else {
                continue
            }
            // The newline comes first, because an interrupted write may have left an incomplete line.
            text.append(UInt8(ascii: "\n"))
            text.append(line)
            objects[entry.handle] = entry.object
        }
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (hasFile ? O_APPEND : O_TRUNC), 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        hasFile = true
        try? IO.writeAll([UInt8](text), to: file)
    }

    /// Deletes the cache. Called when an object on the card differs from the cached object. The next
    /// connection reads the whole card.
    mutating func discard() {
        isDiscarded = true
        unlink(path)
    }
}
