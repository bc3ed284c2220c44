import FrameFastModel
import GPhoto2
import WorkerProtocol

/// A camera's own memory for photos, which must be emptied for it to go on.
struct PhotoMemory {
    /// Part of the memory, in percent, from which on the daemon is told without asking.
    static let warnPercent: UInt64 = 70

    /// Size in bytes, as far as known.
    let bytes: UInt64
    private var objects: [CameraPath: CameraObject] = [:]
    private var hasWarned = false

    init(bytes: UInt64) { self.bytes = bytes }

    /// Photos in it.
    var count: Int { objects.count }
    /// Bytes of them, as the camera announced them: they need not make sense.
    var used: UInt64 { objects.values.reduce(0) { $0 &+ min($1.size, WorkerLimits.bytes) } }

    /// The photo that was announced or listed under this path.
    subscript(path: CameraPath) -> CameraObject? { objects[path] }

    /// A photo is in it.
    mutating func put(_ object: CameraObject) {
        objects[CameraPath(folder: object.folder, name: object.name)] = object
    }

    /// A photo was deleted.
    mutating func remove(_ path: CameraPath) { objects[path] = nil }

    /// Whether it has just become so full that someone should know, or has just become emptier than that again.
    mutating func changesWarning() -> Bool {
        let isDue = used >= bytes / 100 * Self.warnPercent
        defer { hasWarned = isDue }
        return isDue != hasWarned
    }
}
