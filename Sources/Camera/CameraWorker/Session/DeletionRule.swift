import FrameFastModel
import GPhoto2

/// Whether what the camera says of a handle is still the photo that was saved.
enum DeletionRule {
    /// An EOS lists times in seconds of a zone that its other answers need not share.
    static let zoneStepSeconds: Int64 = 15 * 60

    /// - Parameters:
    ///   - now: The camera's own word, at this moment.
    ///   - object: The photo as it was announced and saved.
    ///   - listsCoarsely: Whether the driver took the announcement from another kind of answer (an EOS's folders).
    static func isStill(_ now: CardObject, _ object: CameraObject, listsCoarsely: Bool) -> Bool {
        guard !now.isFolder, isSame(size: now.size, object.size),
            isSame(
                time: now.time, object.cameraTime, listsCoarsely: listsCoarsely, isPlain: now.isPlain)
        else { return false }
        // A name outside ASCII is another one in the driver's spelling.
        return now.name == object.name || !now.name.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    /// Sizes of 4 GiB and more do not fit into an ObjectInfo: it says 0xFFFFFFFF, or an EOS the lower half.
    private static func isSame(size now: UInt64, _ size: UInt64) -> Bool {
        now == size
            || (size >= UInt64(UInt32.max) && (now == UInt64(UInt32.max) || now == size & 0xFFFF_FFFF))
    }

    private static func isSame(time now: Int64?, _ time: Int64?, listsCoarsely: Bool, isPlain: Bool) -> Bool {
        guard now != time else { return true }
        // The driver reads times that are not as the standard writes them.
        if now == nil, !isPlain { return true }
        guard listsCoarsely, let now, let time else { return false }
        let (apart, overflow) = now.subtractingReportingOverflow(time)
        return !overflow && apart % zoneStepSeconds == 0
    }
}
