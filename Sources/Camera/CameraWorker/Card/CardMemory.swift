import FoundationEssentials
import FrameFastModel
import Glibc

/// What was read of a large card, kept in this worker's home: a listing that is interrupted goes on there. Nothing is
/// lost with it but time.
struct CardMemory {
    /// Objects that are remembered, at most: a megabyte for about 5,000.
    private static let objectsMax = 100_000

    private struct Entry: Codable {
        var handle: UInt32
        var object: CameraObject
    }

    private let path: String
    private let camera: String
    private var objects: [UInt32: CameraObject] = [:]
    private var isBegun = false
    private var isForgotten = false

    /// - Parameter camera: who the camera is: maker, model and serial number.
    init(camera: String) {
        self.camera = camera
        path = WorkerPlace.home + "/card.jsonl"
        guard let file = try? Data(contentsOf: URL(filePath: path)) else { return }
        var lines = file.split(separator: UInt8(ascii: "\n"))[...]
        guard lines.popFirst().map({ String(decoding: $0, as: UTF8.self) }) == camera else { return }
        isBegun = true
        let decoder = JSONDecoder()
        // A line that was being written when the worker died is no object.
        for line in lines.prefix(Self.objectsMax) {
            guard let entry = try? decoder.decode(Entry.self, from: line) else { continue }
            objects[entry.handle] = entry.object
        }
    }

    /// What an earlier session read under this handle.
    subscript(handle: UInt32) -> CameraObject? { objects[handle] }

    /// Notes what was read and told.
    mutating func note(_ read: [(handle: UInt32, object: CameraObject)]) {
        let new = read.filter { objects[$0.handle] == nil }
        guard !isForgotten, !new.isEmpty, objects.count + new.count <= Self.objectsMax else { return }
        var text = Data()
        if !isBegun { text.append(contentsOf: camera.utf8 + [UInt8(ascii: "\n")]) }
        let encoder = JSONEncoder()
        for entry in new {
            guard let line = try? encoder.encode(Entry(handle: entry.handle, object: entry.object)) else {
                continue
            }
            text.append(line)
            text.append(UInt8(ascii: "\n"))
            objects[entry.handle] = entry.object
        }
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isBegun ? O_APPEND : O_TRUNC), 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        isBegun = true
        text.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = write(file, piece.baseAddress, piece.count)
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// A handle stands for something else by now: the next session believes nothing of it.
    mutating func forget() {
        isForgotten = true
        unlink(path)
    }
}
