import FrameFastModel

/// A filter for reported objects with doubtful facts. Wrong facts come from a truncated reply, or from a file
/// that the camera is still writing. The driver caches wrong facts for the whole connection. The next
/// connection would report other facts for the same photo. Therefore, doubtful facts are trusted only after a
/// second connection has reported them.
struct DoubtfulObjectFilter {
    /// The objects that the previous connection doubted.
    private let earlier: Set<CameraObject>
    /// The objects that this connection doubts.
    private(set) var doubted: Set<CameraObject> = []
    /// Whether the camera reported a time for at least one object.
    private var givesTimes = false
    /// Whether the camera reported a plausible time for at least one object.
    private var givesPlausibleTimes = false

    init(earlier: Set<CameraObject>) { self.earlier = earlier }

    /// Separates trusted objects from doubtful ones.
    ///
    /// - Returns: The trusted objects, and the number of doubtful objects that the previous connection did
    ///   not doubt.
    mutating func partition(_ objects: [CameraObject]) -> (trusted: [CameraObject], newDoubts: Int) {
        givesTimes = givesTimes || objects.contains { $0.cameraTime != nil }
        givesPlausibleTimes = givesPlausibleTimes || objects.contains { $0.plausibleTime != nil }
        let doubtful = Set(objects.filter(isProbablyTruncated))
        doubted.formUnion(doubtful)
        let new = doubtful.subtracting(earlier)
        return (objects.filter { !new.contains($0) }, new.count)
    }

    /// Returns whether an object's facts look truncated, based on the camera's other objects so far.
    func isProbablyTruncated(_ object: CameraObject) -> Bool {
        Self.isProbablyTruncated(object, givesTimes: givesTimes)
            || (givesPlausibleTimes && object.plausibleTime == nil) || Self.isTooLarge(object)
    }

    /// Returns whether an object's facts look truncated.
    ///
    /// - Parameter givesTimes: Whether the camera reported a time for another object.
    static func isProbablyTruncated(_ object: CameraObject, givesTimes: Bool) -> Bool {
        object.isNameless || object.size == 0
            || (object.cameraTime == nil && givesTimes) || isProbablyMisread(folder: object.folder)
    }

    /// Returns whether an object is larger than any picture or RAW file. Some cameras announce a JPEG of 4
    /// GiB (libgphoto2 issue 714).
    private static func isTooLarge(_ object: CameraObject) -> Bool {
        guard [.picture, .raw].contains(MediaKind(fileName: object.name)) else { return false }
        let mayBeBurst = SafeName.split(object.name).ext.lowercased() == "cr3"
        return object.size > (mayBeBurst ? rawBurstBytesMax : FreeSpaceWait.photoBytesMax)
    }

    /// The largest size of a CR3 file, in bytes. Canon's RAW burst mode writes all pictures of a burst into
    /// one file: 85 pictures of the EOS R7 have 2 GB (dnglab issue 345). The limit is below 0xFFFFFFFF, which
    /// is not a size (MTP 1.1, Object Compressed Size).
    private static let rawBurstBytesMax: UInt64 = 4_000_000_000

    /// Returns whether a folder's name looks like part of a truncated reply. A photo with a misread folder
    /// would be treated as another photo.
    private static func isProbablyMisread(folder: String) -> Bool {
        guard folder != "/" else { return false }
        return folder.dropFirst().split(separator: "/", omittingEmptySubsequences: false).contains { name in
            name.isEmpty || name == CameraObject.namelessName
                || name.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || $0 == "\u{FFFD}"
                }
        }
    }
}
