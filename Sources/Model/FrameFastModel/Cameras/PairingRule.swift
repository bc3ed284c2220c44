import FoundationEssentials

/// Which two files belong to one press of the shutter.
public enum PairingRule {
    /// Largest difference of capture times inside one shot, seconds: cameras write whole seconds, and the second
    /// file may be stamped a moment later.
    public static let captureTimeSlackSeconds: Int64 = 2

    /// Whether `new` and `earlier` of the same camera are one RAW and one picture of the same shot.
    ///
    /// Same stem and capture times that fit; or neighbours in the camera's order with capture times that fit, where
    /// the names can be those of one shot: a camera's own names share the number (DCF 2.0, 3.2.3: `_DSC0001.NEF`,
    /// `DSC_0001.JPG`), the driver's own do not (`capt0001.cr2`, `capt0002.jpg`). Without capture times the two must
    /// have been heard of within `settleSeconds`.
    ///
    /// - Parameter areAdjacent: Whether the camera announced them directly after each other.
    public static func arePair(
        _ new: CaptureRecord, _ earlier: CaptureRecord, areAdjacent: Bool = false, settleSeconds: Double
    ) -> Bool {
        guard Set([new.kind, earlier.kind]) == [.raw, .picture] else { return false }
        let (name, other) = (new.object.name, earlier.object.name)
        let sameStem = SafeName.split(name).stem.lowercased() == SafeName.split(other).stem.lowercased()
        guard sameStem || (areAdjacent && canBeOneShot(name, other)) else { return false }
        return areOfOneMoment(new, earlier, settleSeconds: settleSeconds)
    }

    /// Whether two files were made at the same press of the shutter, by their times alone.
    public static func areOfOneMoment(
        _ new: CaptureRecord, _ earlier: CaptureRecord, settleSeconds: Double
    ) -> Bool {
        if let newTime = new.object.cameraTime, let earlierTime = earlier.object.cameraTime {
            let (apart, isEndless) = newTime.subtractingReportingOverflow(earlierTime)
            return !isEndless && apart.magnitude <= captureTimeSlackSeconds.magnitude
        }
        return abs(new.detectedAt.timeIntervalSince(earlier.detectedAt)) <= settleSeconds
    }

    /// Whether two different stems can belong to one shot.
    private static func canBeOneShot(_ one: String, _ other: String) -> Bool {
        let numbers = [one, other].map {
            String(SafeName.split($0).stem.reversed().prefix { $0.isWholeNumber })
        }
        return (isDriversOwn(one) && isDriversOwn(other)) || (!numbers[0].isEmpty && numbers[0] == numbers[1])
    }

    /// Names that libgphoto2 makes for photos that stay in the camera's memory: `capt` and a running number.
    private static func isDriversOwn(_ name: String) -> Bool {
        let stem = SafeName.split(name).stem.lowercased()
        return stem.hasPrefix("capt") && stem.count > 4 && stem.dropFirst(4).allSatisfy(\.isWholeNumber)
    }
}
