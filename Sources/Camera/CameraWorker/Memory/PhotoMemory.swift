import FrameFastModel
import GPhoto2
import WorkerProtocol

/// The photos in the memory of a camera that stops shooting when this memory is full.
struct PhotoMemory {
    /// The fill level at which the worker reports the memory to the daemon, in percent.
    static let warnPercent: UInt64 = 70

    /// The known size of the memory, in bytes.
    let bytes: UInt64
    private var objects: [CameraPath: CameraObject] = [:]
    private var hasWarned = false

    init(bytes: UInt64) { self.bytes = bytes }

    /// The number of photos in the memory.
    var count: Int { objects.count }
    /// The total announced size of the photos, in bytes. Limits each size, because a camera may announce a
    /// nonsensical size.
    var usedBytes: UInt64 { objects.values.reduce(0) { $0 &+ min($1.size, WorkerLimits.bytes) } }

    /// The photo with this path, or `nil` if it was neither announced nor listed.
    subscript(path: CameraPath) -> CameraObject? { objects[path] }

    /// Adds a photo.
    mutating func insert(_ object: CameraObject) {
        objects[CameraPath(folder: object.folder, name: object.name)] = object
    }

    /// Removes a photo.
    mutating func remove(_ path: CameraPath) { objects[path] = nil }

    /// Updates the warning state. Returns whether the fill level has crossed ``warnPercent`` since the last
    /// call, in either direction.
    mutating func updateWarning() -> Bool {
        let isDue = usedBytes >= bytes / 100 * Self.warnPercent
        defer { hasWarned = isDue }
        return isDue != hasWarned
    }
}
