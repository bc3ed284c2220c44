import FrameFastModel
import GPhoto2

/// Decides whether a handle still refers to the photo that was saved.
enum DeletionRule {
    /// The granularity of a difference between time zones, in seconds. An EOS lists times in a zone that may
    /// differ from that of its other answers.
    static let zoneStepSeconds: Int64 = 15 * 60

    /// Returns whether the object is still the saved photo.
    ///
    /// - Parameters:
    ///   - now: The camera's current description.
    ///   - object: The photo as it was announced and saved.
    ///   - listsCoarsely: Whether the driver took the announcement from another kind of answer (an EOS's
    ///     folders).
    static func isStill(_ now: CardObject, _ object: CameraObject, listsCoarsely: Bool) -> Bool {
        guard !now.isFolder, isSame(size: now.size, object.size),
            isSame(
                time: now.time, object.cameraTime, listsCoarsely: listsCoarsely, isPlain: now.isPlain)
        else { return false }
        // The driver spells a name outside ASCII differently.
        return now.name == object.name || !now.name.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    /// Compares two sizes. An ObjectInfo can't contain a size of 4 GiB or more: it has 0xFFFFFFFF, or on an
    /// EOS the lower half.
    private static func isSame(size now: UInt64, _ size: UInt64) -> Bool {
        now == size
            || (size >= UInt64(UInt32.max) && (now == UInt64(UInt32.max) || now == size & 0xFFFF_FFFF))
    }

    private static func isSame(time now: Int64?, _ time: Int64?, listsCoarsely: Bool, isPlain: Bool) -> Bool {
        guard now != time else { return true }
        // The driver parses times that are not in the standard's format.
        if now == nil, !isPlain { return true }
        guard listsCoarsely, let now, let time else { return false }
        let (apart, overflow) = now.subtractingReportingOverflow(time)
        return !overflow && apart % zoneStepSeconds == 0
    }
}
