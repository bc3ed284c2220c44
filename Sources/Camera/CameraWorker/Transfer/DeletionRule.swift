import FrameFastModel
import GPhoto2

/// The rule that decides whether a handle still refers to the saved photo.
enum DeletionRule {
    /// The granularity of time zone differences, in seconds. An EOS may use one time zone in its listings and
    /// another in its other responses.
    static let zoneStepSeconds: Int64 = 15 * 60

    /// Returns whether the object on the camera is still the saved photo.
    ///
    /// - Parameters:
    ///   - now: The camera's current description of the object.
    ///   - object: The saved photo, as it was announced.
    ///   - listsCoarsely: Whether the driver announced the photo from a folder listing (EOS). Its time may
    ///     then use another time zone.
    static func isStill(_ now: CardObject, _ object: CameraObject, listsCoarsely: Bool) -> Bool {
        guard !now.isFolder, isSame(size: now.size, object.size),
            isSame(
                time: now.time, object.cameraTime, listsCoarsely: listsCoarsely, isPlain: now.isPlain)
        else { return false }
        // The driver changes the characters outside ASCII in a name. The worker can't compare a name with
        // such characters.
        return now.name == object.name || !now.name.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    /// Compares two sizes. The size in an ObjectInfo has 32 bits. For an object of 4 GiB or more, an EOS
    /// reports the lower 32 bits of the size, and other cameras report 0xFFFFFFFF.
    private static func isSame(size now: UInt64, _ size: UInt64) -> Bool {
        now == size
            || (size >= UInt64(UInt32.max) && (now == UInt64(UInt32.max) || now == size & 0xFFFF_FFFF))
    }

    private static func isSame(time now: Int64?, _ time: Int64?, listsCoarsely: Bool, isPlain: Bool) -> Bool {
        guard now != time else { return true }
        // If a time field is not in the standard's format, the driver derives a time from the field. The
        // worker can't parse the field and skips the comparison.
        if now == nil, !isPlain { return true }
        guard listsCoarsely, let now, let time else { return false }
        let (apart, overflow) = now.subtractingReportingOverflow(time)
        return !overflow && apart % zoneStepSeconds == 0
    }
}
