/// Which two files belong to one press of the shutter.
public enum PairingRule {
    /// One file, as far as pairing cares.
    public struct Shot: Hashable, Sendable {
        /// The camera's file name.
        public var name: String
        /// The camera's clock, seconds; `nil` when it gave none.
        public var cameraTime: Int64?
        /// When the host first heard of it, seconds since 1970.
        public var detectedAt: Double
        /// Whether the camera announced it directly next to the other one.
        public var isAdjacent: Bool

        /// Creates a shot.
        public init(name: String, cameraTime: Int64?, detectedAt: Double, isAdjacent: Bool = false) {
            self.name = name
            self.cameraTime = cameraTime
            self.detectedAt = detectedAt
            self.isAdjacent = isAdjacent
        }
    }

    /// Largest difference of capture times inside one shot, seconds: cameras write whole seconds, and the second
    /// file may be stamped a moment later.
    public static let captureTimeSlackSeconds: Int64 = 2

    /// Whether `new` and `earlier` of the same camera are one RAW and one picture of the same shot.
    ///
    /// Same stem and capture times that fit; or neighbours in the camera's order with capture times that fit, where
    /// the names can be those of one shot: a camera's own names share the number (DCF 2.0, 3.2.3: `_DSC0001.NEF`,
    /// `DSC_0001.JPG`), the driver's own do not (`capt0001.cr2`, `capt0002.jpg`). Without capture times the two must
    /// have been heard of within `settleSeconds`.
    public static func arePair(_ new: Shot, _ earlier: Shot, settleSeconds: Double) -> Bool {
        let kinds = [MediaKind(fileName: new.name), MediaKind(fileName: earlier.name)]
        guard kinds.contains(.raw), kinds.contains(.picture) else { return false }
        let sameStem =
            SafeName.split(new.name).stem.lowercased() == SafeName.split(earlier.name).stem.lowercased()
        guard sameStem || (new.isAdjacent && canBeOneShot(new.name, earlier.name)) else { return false }
        return areOfOneMoment(new, earlier, settleSeconds: settleSeconds)
    }

    /// Whether two files were made at the same press of the shutter, by their times alone.
    public static func areOfOneMoment(_ new: Shot, _ earlier: Shot, settleSeconds: Double) -> Bool {
        if let newTime = new.cameraTime, let earlierTime = earlier.cameraTime {
            let (apart, isEndless) = newTime.subtractingReportingOverflow(earlierTime)
            return !isEndless && apart.magnitude <= captureTimeSlackSeconds.magnitude
        }
        return abs(new.detectedAt - earlier.detectedAt) <= settleSeconds
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
