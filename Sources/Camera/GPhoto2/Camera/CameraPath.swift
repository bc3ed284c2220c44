/// The path of a file on a camera.
public struct CameraPath: Hashable, Sendable {
    /// The folder in libgphoto2's format.
    public var folder: String
    /// The name as the camera reports it.
    public var name: String

    /// Whether the file exists only in the memory of the camera and the driver. Such a file is transferred
    /// together with its event. The driver reports the file in the folder `/`, where cameras have no files.
    public var isInMemory: Bool { folder == "/" }

    /// Creates a path.
    public init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }
}

/// The facts about a file on a camera.
public struct CameraFileFacts: Hashable, Sendable {
    /// The announced size, in bytes.
    public var size: UInt64
    /// The modification time, or the capture time if the modification time is missing, in seconds since 1970
    /// in the process's time zone. `nil` if both times are unknown.
    public var time: Int64?
    /// Whether the photographer has protected the file against deletion, or `nil` if unknown.
    public var isProtected: Bool?
}
