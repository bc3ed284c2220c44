import FrameFastModel

/// Whether what a camera tells of its objects can be believed. Facts may be those of a reply that was cut short, or of a file
/// that the camera still writes: the driver keeps such facts for the whole session, and the same photo would be another one
/// in the next. Said again by a new session they are believed.
struct ObjectDoubts {
    /// Objects that the session before doubted.
    private let earlier: Set<CameraObject>
    /// Objects that this session doubts.
    private(set) var doubted: Set<CameraObject> = []
    /// Whether the camera gave a time for an object.
    private var givesTimes = false
    /// Whether the camera gave a time that can be true.
    private var givesPlausibleTimes = false

    init(earlier: Set<CameraObject>) { self.earlier = earlier }

    /// Takes what the camera tells.
    ///
    /// - Returns: what is believed, and how many objects are doubted for the first time.
    mutating func sort(_ objects: [CameraObject]) -> (believed: [CameraObject], newDoubts: Int) {
        givesTimes = givesTimes || objects.contains { $0.cameraTime != nil }
        givesPlausibleTimes = givesPlausibleTimes || objects.contains { $0.plausibleTime != nil }
        let doubtful = Set(objects.filter(looksCutShort))
        doubted.formUnion(doubtful)
        let new = doubtful.subtracting(earlier)
        return (objects.filter { !new.contains($0) }, new.count)
    }

    /// Whether an object's facts may be those of a reply that was cut short, from what is known of the camera by now.
    func looksCutShort(_ object: CameraObject) -> Bool {
        Self.looksCutShort(object, givesTimes: givesTimes)
            || (givesPlausibleTimes && object.plausibleTime == nil) || Self.isTooLarge(object)
    }

    /// Whether an object's facts may be those of a reply that was cut short.
    ///
    /// - Parameter givesTimes: whether the camera gave a time for another object.
    static func looksCutShort(_ object: CameraObject, givesTimes: Bool) -> Bool {
        object.isNameless || object.size == 0
            || (object.cameraTime == nil && givesTimes) || looksMisread(folder: object.folder)
    }

    /// Whether no picture or RAW file is that large. Some bodies announce a JPEG of 4 GiB (libgphoto2 issue 714).
    private static func isTooLarge(_ object: CameraObject) -> Bool {
        [.picture, .raw].contains(MediaKind(fileName: object.name))
            && object.size > RoomWait.photoBytesMax
    }

    /// Whether a folder's name may come from such a reply: every photo in it would be another one.
    private static func looksMisread(folder: String) -> Bool {
        guard folder != "/" else { return false }
        return folder.dropFirst().split(separator: "/", omittingEmptySubsequences: false).contains { name in
            name.isEmpty || name == CameraObject.namelessName
                || name.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || $0 == "\u{FFFD}"
                }
        }
    }
}
