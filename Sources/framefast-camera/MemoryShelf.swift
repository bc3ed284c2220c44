import FrameFastModel
import GPhoto2

/// Photos that came over from the camera's memory with their event and lie in this process until the daemon has them.
///
/// While it is full the camera is not asked for more: the rest waits in the camera.
struct MemoryShelf {
    /// Photos at most.
    static let countMax = 4
    /// Bytes after which nothing more is taken; one photo may go beyond it (see ``Confinement/dataLimit``).
    static let bytesMax: UInt64 = 128 * 1_024 * 1_024

    private var driverNames: [CameraObject: String] = [:]

    /// Whether the camera must wait.
    var isFull: Bool {
        driverNames.count >= Self.countMax
            || driverNames.keys.reduce(0) { $0 + $1.size } >= Self.bytesMax
    }
    /// The photos, in the order in which they came.
    var objects: [CameraObject] { driverNames.sorted { $0.value < $1.value }.map(\.key) }
    /// Whether nothing is there.
    var isEmpty: Bool { driverNames.isEmpty }

    /// Takes a photo.
    mutating func put(_ object: CameraObject, driverName: String) { driverNames[object] = driverName }

    /// Whether a photo of this name is there.
    func has(_ name: String) -> Bool { driverNames.keys.contains { $0.name == name } }

    /// The driver's path for what the daemon calls `name`.
    func path(_ name: String) -> CameraPath? {
        driverNames.first { $0.key.name == name }.map { CameraPath(folder: "/", name: $0.value) }
    }

    /// Gives a photo up.
    mutating func remove(_ name: String) {
        for object in driverNames.keys where object.name == name { driverNames[object] = nil }
    }
}
