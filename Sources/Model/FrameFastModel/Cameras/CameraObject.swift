/// An object (photo, movie, sidecar) on a camera's storage or in its memory, as the camera announces it.
///
/// All values come from the camera and are untrusted: the name may be malicious, and the size may be wrong.
/// Equality ignores whether an object is protected, because the protection can change.
public struct CameraObject: Codable, Hashable, Sendable {
    /// The folder in libgphoto2's format, for example `/store_00010001/DCIM/100CANON`.
    public var folder: String
    /// The name from the camera. Untrusted data, never a path.
    public var name: String
    /// The announced size, in bytes. May be wrong.
    public var size: UInt64
    /// The camera's wall-clock time when the camera created the object, in seconds since 1970 without a time
    /// zone. `nil` if the camera reports no time.
    public var cameraTime: Int64?
    /// Whether the photographer protected the object in the camera; `nil` if the camera does not report it.
    public var isProtected: Bool?

    /// Creates an object from the camera's announcement.
    public init(
        folder: String, name: String, size: UInt64, cameraTime: Int64?, isProtected: Bool? = nil
    ) {
        self.folder = folder
        self.name = name
        self.size = size
        self.cameraTime = cameraTime
        self.isProtected = isProtected
    }

    /// The earliest plausible time, 2000-01-01, in seconds since 1970. Cameras report an earlier date while
    /// they are still writing the file, or if their clock was never set (libgphoto2 issue 488: 1979-11-30).
    public static let firstTime: Int64 = 946_684_800

    /// The end of the plausible times, 2080-01-01, in seconds since 1970. Cameras without a date report years
    /// such as 2099 and 2106.
    public static let endOfTime: Int64 = 3_471_292_800

    /// The camera's time, or `nil` if the camera reports no time or an implausible time.
    public var plausibleTime: Int64? {
        cameraTime.flatMap { (Self.firstTime..<Self.endOfTime).contains($0) ? $0 : nil }
    }

    /// The folder and name: the path on the camera.
    public var path: String { "\(folder)/\(name)" }

    /// A copy with an empty folder, for comparison with objects in other folders. `nil` if the object has no
    /// time, because name and size alone do not identify an object.
    public var withoutFolder: CameraObject? {
        guard cameraTime != nil else { return nil }
        var object = self
        object.folder = ""
        return object
    }

    /// Returns whether both values identify the same object.
    public static func == (one: Self, other: Self) -> Bool {
        one.folder == other.folder && one.name == other.name && one.size == other.size
            && one.cameraTime == other.cameraTime
    }

    /// Hashes the properties that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(folder)
        hasher.combine(name)
        hasher.combine(size)
        hasher.combine(cameraTime)
    }

    /// The name that libgphoto2 gives an object or folder without a name (ptp_object_want in
    /// camlibs/ptp2/ptp.c).
    public static let namelessName = "<none>"

    /// Whether the object has no name, or only libgphoto2's placeholder.
    public var isNameless: Bool { name.isEmpty || name == Self.namelessName }

    /// Whether the object exists only in the camera's memory, and not on a storage.
    public var isInMemory: Bool { folder == "/" }

    /// The storage part of the folder (`store_00010001`); empty for objects in the camera's memory.
    public var storage: String {
        let first = folder.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        return first.hasPrefix("store_") ? first : ""
    }
}
