import FrameFastModel

/// Decides which reported objects can be trusted. Facts may come from a truncated reply, or from a file
/// that the camera is still writing. The driver keeps such facts for the whole session, and the same photo
/// would have other facts in the next. Facts that a new session repeats are trusted.
struct ObjectDoubts {
    /// The objects that the previous session doubted.
    private let earlier: Set<CameraObject>
    /// The objects that this session doubts.
    private(set) var doubted: Set<CameraObject> = []
    /// Whether the camera reported a time for at least one object.
    private var givesTimes = false
    /// Whether the camera reported a plausible time for at least one object.
    private var givesPlausibleTimes = false

    init(earlier: Set<CameraObject>) { self.earlier = earlier }

    /// Separates trusted objects from doubtful ones.
    ///
    /// - Returns: The trusted objects, and the number of objects that are doubted for the first time.
    mutating func partition(_ objects: [CameraObject]) -> (trusted: [CameraObject], newDoubts: Int) {
        givesTimes = givesTimes || objects.contains { $0.cameraTime != nil }
        givesPlausibleTimes = givesPlausibleTimes || objects.contains { $0.plausibleTime != nil }
        let doubtful = Set(objects.filter(looksCutShort))
        doubted.formUnion(doubtful)
        let new = doubtful.subtracting(earlier)
        return (objects.filter { !new.contains($0) }, new.count)
    }

    /// Whether an object's facts look truncated, based on the camera's other objects so far.
    func looksCutShort(_ object: CameraObject) -> Bool {
        Self.looksCutShort(object, givesTimes: givesTimes)
            || (givesPlausibleTimes && object.plausibleTime == nil) || Self.isTooLarge(object)
    }

    /// Whether an object's facts look truncated.
    ///
    /// - Parameter givesTimes: Whether the camera reported a time for another object.
    static func looksCutShort(_ object: CameraObject, givesTimes: Bool) -> Bool {
        object.isNameless || object.size == 0
            || (object.cameraTime == nil && givesTimes) || looksMisread(folder: object.folder)
    }

    /// Whether an object is larger than any picture or RAW file. Some bodies announce a JPEG of 4 GiB
    /// (libgphoto2 issue 714).
    private static func isTooLarge(_ object: CameraObject) -> Bool {
        [.picture, .raw].contains(MediaKind(fileName: object.name))
            && object.size > FreeSpaceWait.photoBytesMax
    }

    /// Whether a folder's name looks like part of a truncated reply. All photos in such a folder would
    /// count as other photos.
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
