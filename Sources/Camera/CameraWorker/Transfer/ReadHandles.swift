import GPhoto2

/// The handles of recently read files. The deletion of a photo needs the handle, usually soon after the photo
/// is saved.
struct ReadHandles {
    /// The maximum number of files. The maximum is several times the number of photos that can wait to be
    /// written.
    static let countMax = 256

    private var handles: [(path: CameraPath, handle: UInt32)] = []

    /// The handle of a file, or `nil` if it is not recorded.
    subscript(path: CameraPath) -> UInt32? { handles.last { $0.path == path }?.handle }

    /// Records the handle of a file that was read.
    mutating func record(_ path: CameraPath, _ handle: UInt32) {
        remove(path)
        if handles.count >= Self.countMax { handles.removeFirst() }
        handles.append((path, handle))
    }

    /// Removes the handle of a deleted file.
    mutating func remove(_ path: CameraPath) { handles.removeAll { $0.path == path } }
}
