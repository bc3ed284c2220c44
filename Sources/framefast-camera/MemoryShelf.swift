import FrameFastModel

/// Photos that came over from the camera's memory with their event and lie in this process until the daemon has them.
///
/// The library keeps them as well, but forgets them when it likes (an ObjectRemoved event empties its cache), and the
/// camera has none any more. While the shelf is full the camera is not asked for more: the rest waits there.
struct MemoryShelf {
    /// Photos at most.
    static let countMax = 4
    /// Bytes after which nothing more is taken; one photo may go beyond it (see ``Confinement/dataLimit``).
    static let bytesMax = 128 * 1_024 * 1_024

    private var photos: [(object: CameraObject, bytes: [UInt8])] = []

    /// Whether the camera must wait.
    var isFull: Bool {
        photos.count >= Self.countMax || photos.reduce(0) { $0 + $1.bytes.count } >= Self.bytesMax
    }
    /// The photos, in the order in which they came.
    var objects: [CameraObject] { photos.map(\.object) }

    /// Takes a photo.
    mutating func put(_ object: CameraObject, _ bytes: [UInt8]) { photos.append((object, bytes)) }

    /// A photo's bytes; `nil` when there is none of this name.
    subscript(name: String) -> [UInt8]? { photos.first { $0.object.name == name }?.bytes }

    /// Gives a photo up.
    mutating func remove(_ name: String) { photos.removeAll { $0.object.name == name } }
}
