/// One object (photo, movie, sidecar) on a camera's storage, as the camera announces it.
///
/// Everything here is the camera's word: the name may be hostile, the size may be wrong. Equality is identity: whether
/// an object is protected can change while it stays the same.
public struct CameraObject: Codable, Hashable, Sendable {
    /// Folder as libgphoto2 spells it, for example `/store_00010001/DCIM/100CANON`.
    public var folder: String
    /// Name as the camera gives it. Data, never a path.
    public var name: String
    /// Announced size in bytes. Not to be trusted alone (see the fault table in docs).
    public var size: UInt64
    /// The camera's own wall clock when it made the object: seconds since 1970 as if that clock ran in UTC.
    /// `nil` when the camera gives no time.
    public var cameraTime: Int64?
    /// Whether the photographer protected it in the camera; `nil` when the camera does not tell.
    public var isProtected: Bool?

    /// Creates an object from what the camera announced.
    public init(
        folder: String, name: String, size: UInt64, cameraTime: Int64?, isProtected: Bool? = nil
    ) {
        self.folder = folder
        self.name = name
        self.size = size
        self.cameraTime = cameraTime
        self.isProtected = isProtected
    }

    /// The first moment that the clock of a supported camera can show, 2000-01-01. Bodies date a file earlier while they
    /// still write it, or when their clock was never set (libgphoto2 issue 488: 1979-11-30).
    public static let firstTime: Int64 = 946_684_800

    /// The first moment that no photo has, 2080-01-01. Bodies give dates near 2099 and 2106 where they have none.
    public static let endOfTime: Int64 = 3_471_292_800

    /// The camera's time, or `nil` if it gives none that can be true.
    public var plausibleTime: Int64? {
        cameraTime.flatMap { (Self.firstTime..<Self.endOfTime).contains($0) ? $0 : nil }
    }

    /// Folder and name: where it is on the camera.
    public var path: String { "\(folder)/\(name)" }

    /// The same object without its folder, to find it in another one; `nil` without a time, when name and size alone would
    /// have to tell.
    public var wherever: CameraObject? {
        guard cameraTime != nil else { return nil }
        var object = self
        object.folder = ""
        return object
    }

    /// Whether both stand for one object.
    public static func == (one: Self, other: Self) -> Bool {
        one.folder == other.folder && one.name == other.name && one.size == other.size
            && one.cameraTime == other.cameraTime
    }

    /// Feeds what equality looks at.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(folder)
        hasher.combine(name)
        hasher.combine(size)
        hasher.combine(cameraTime)
    }

    /// What libgphoto2 calls an object or a folder without a name (ptp_object_want in camlibs/ptp2/ptp.c).
    public static let namelessName = "<none>"

    /// Whether the camera gave it no name, or one that was cut short.
    public var isNameless: Bool { name.isEmpty || name == Self.namelessName }

    /// Whether it was only in the camera's memory and came over with its event: it is on no storage.
    public var isInMemory: Bool { folder == "/" }

    /// Storage part of the folder (`store_00010001`); empty when there is none (objects in camera memory).
    public var storage: String {
        let first = folder.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        return first.hasPrefix("store_") ? first : ""
    }
}
