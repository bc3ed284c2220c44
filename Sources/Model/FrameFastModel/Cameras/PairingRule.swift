import FoundationEssentials

/// Which files belong together: the two of one press of the shutter, and the companions of a photo.
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
            if !isEndless && apart.magnitude <= captureTimeSlackSeconds.magnitude { return true }
            // One date cannot be true: the names decide.
            return isMisdated(new) != isMisdated(earlier) && haveOneName(new, earlier)
                && areOfOneHour(new, earlier)
        }
        return abs(new.detectedAt.timeIntervalSince(earlier.detectedAt)) <= settleSeconds
    }

    /// How far apart two files of one name may be heard of, in seconds: no camera begins its numbers anew twice in that time.
    public static let sameNameSeconds: Double = 3_600
    /// How far ahead of the host a camera's clock may be, in seconds: two days cover every zone.
    public static let aheadSeconds: Double = 172_800

    /// Whether the date of a file cannot be true: before the first camera, or after the day on which it was heard of.
    public static func isMisdated(_ file: CaptureRecord) -> Bool {
        guard let time = file.object.cameraTime else { return false }
        return time < CameraObject.firstTime
            || Double(time) > file.detectedAt.timeIntervalSince1970 + aheadSeconds
    }

    /// Whether a file belongs to a photo or movie by its name: sound, a sidecar or a thumbnail in the same folder.
    ///
    /// A companion may be made long after its photo (a voice memo). Its photo is then the last one of that name from before.
    public static func isCompanion(_ file: CaptureRecord, of photo: CaptureRecord) -> Bool {
        guard file.kind == .other, photo.kind != .other, file.object.folder == photo.object.folder,
            companionStems(of: file.object.name).contains(
                SafeName.split(photo.object.name).stem.lowercased())
        else { return false }
        guard !areOfOneHour(file, photo), let made = file.object.cameraTime,
            let taken = photo.object.cameraTime
        else { return true }
        return taken <= made
    }

    /// The stems that the photo of a companion may have, in lower case: `DSC_1.WAV`, `DSC_1.NEF.XMP`, and Sony's `C0001M01.XML`
    /// for `C0001.MP4`.
    public static func companionStems(of name: String) -> [String] {
        let stem = SafeName.split(name).stem.lowercased()
        var stems = [stem]
        let inner = SafeName.split(stem)
        if !inner.ext.isEmpty { stems.append(inner.stem) }
        let digits = stem.reversed().prefix { $0.isWholeNumber }
        let head = stem.dropLast(digits.count)
        if digits.count == 2, head.last == "m" { stems.append(String(head.dropLast())) }
        return stems
    }

    /// Whether two files were heard of within ``sameNameSeconds``.
    public static func areOfOneHour(_ one: CaptureRecord, _ other: CaptureRecord) -> Bool {
        abs(one.detectedAt.timeIntervalSince(other.detectedAt)) <= sameNameSeconds
    }

    private static func haveOneName(_ one: CaptureRecord, _ other: CaptureRecord) -> Bool {
        one.object.folder == other.object.folder && !one.object.isInMemory
            && SafeName.split(one.object.name).stem.lowercased()
                == SafeName.split(other.object.name).stem.lowercased()
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
