import GPhoto2

/// The handles of files that were read lately: deleting follows saving.
struct ReadHandles {
    /// Files that are remembered: several times those that can be on their way to the disk.
    static let countMax = 256

    private var handles: [(path: CameraPath, handle: UInt32)] = []

    /// The handle under which a file was read; `nil` when that is not remembered.
    subscript(path: CameraPath) -> UInt32? { handles.last { $0.path == path }?.handle }

    /// A file was read.
    mutating func note(_ path: CameraPath, _ handle: UInt32) {
        forget(path)
        if handles.count >= Self.countMax { handles.removeFirst() }
        handles.append((path, handle))
    }

    /// A file is gone.
    mutating func forget(_ path: CameraPath) { handles.removeAll { $0.path == path } }
}
