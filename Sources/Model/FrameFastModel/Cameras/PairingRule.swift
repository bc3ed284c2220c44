import FoundationEssentials

/// The rules for files that belong together: the RAW file and the picture of a shot, and the companion files
/// of a photo.
public enum PairingRule {
    /// The largest difference between the capture times of a shot's files, in seconds. Cameras write whole
    /// seconds, and may write the second file a moment later.
    public static let captureTimeSlackSeconds: Int64 = 2

    /// Returns whether `new` and `earlier` are the RAW file and the picture of the same shot of one camera.
    ///
    /// Two files are a pair if they have matching capture times and the same stem. Files that the camera
    /// announced in succession may have different stems. In this case, names from the camera must have the
    /// same number (DCF 2.0, 3.2.3: `_DSC0001.NEF`, `DSC_0001.JPG`). Names from the driver may have different
    /// numbers (`capt0001.cr2`, `capt0002.jpg`). Without capture times, the camera must have announced both
    /// files within `settleSeconds`.
    ///
    /// - Parameter areAdjacent: Whether the camera announced the two files in succession.
    public static func arePair(
        _ new: CaptureRecord, _ earlier: CaptureRecord, areAdjacent: Bool = false, settleSeconds: Double
    ) -> Bool {
        guard Set([new.kind, earlier.kind]) == [.raw, .picture] else { return false }
        let (name, other) = (new.object.name, earlier.object.name)
        let sameStem = SafeName.split(name).stem.lowercased() == SafeName.split(other).stem.lowercased()
        guard sameStem || (areAdjacent && canShareShot(name, other)) else { return false }
        return haveMatchingTimes(new, earlier, settleSeconds: settleSeconds)
    }

    /// Returns whether two files can belong to the same shot, judging by their times.
    public static func haveMatchingTimes(
        _ new: CaptureRecord, _ earlier: CaptureRecord, settleSeconds: Double
    ) -> Bool {
        if let newTime = new.object.cameraTime, let earlierTime = earlier.object.cameraTime {
            let (apart, isEndless) = newTime.subtractingReportingOverflow(earlierTime)
            if !isEndless && apart.magnitude <= captureTimeSlackSeconds.magnitude { return true }
            // Different times match only if exactly one of the dates is implausible, the folders and stems
            // are equal, and the files were announced within ``sameNameSeconds``.
            return isMisdated(new) != isMisdated(earlier) && haveSameName(new, earlier)
                && wereAnnouncedTogether(new, earlier)
        }
        return abs(new.detectedAt.timeIntervalSince(earlier.detectedAt)) <= settleSeconds
    }

    /// The longest time between the announcements of two files that belong together because of their names,
    /// in seconds. No camera reuses a file number within this time.
    public static let sameNameSeconds: Double = 3_600
    /// The maximum lead of a camera's clock over the host's clock, in seconds. Two days cover every
    /// time zone.
    public static let aheadSeconds: Double = 172_800

    /// Returns whether the date of a file is implausible: before ``CameraObject/firstTime``, or more than
    /// ``aheadSeconds`` after its announcement.
    public static func isMisdated(_ file: CaptureRecord) -> Bool {
        guard let time = file.object.cameraTime else { return false }
        return time < CameraObject.firstTime
            || Double(time) > file.detectedAt.timeIntervalSince1970 + aheadSeconds
    }

    /// Returns whether a file is a companion of a photo or movie. A companion is a sound file, sidecar or
    /// thumbnail in the same folder with a matching name.
    ///
    /// A companion, such as a voice memo, may be created long after its photo. A companion that is older than
    /// its photo matches only if the camera announced both files within ``sameNameSeconds``.
    public static func isCompanion(_ file: CaptureRecord, of photo: CaptureRecord) -> Bool {
        guard file.kind == .other, photo.kind != .other, file.object.folder == photo.object.folder,
            companionStems(of: file.object.name).contains(
                SafeName.split(photo.object.name).stem.lowercased())
        else { return false }
        guard !wereAnnouncedTogether(file, photo), let made = file.object.cameraTime,
            let taken = photo.object.cameraTime
        else { return true }
        return taken <= made
    }

    /// Returns the stems that the photo of a companion may have, in lower case. Examples of companions are
    /// `DSC_1.WAV`, `DSC_1.NEF.XMP`, and Sony's `C0001M01.XML` for `C0001.MP4`.
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

    /// Returns whether two files were announced within ``sameNameSeconds``.
    public static func wereAnnouncedTogether(_ one: CaptureRecord, _ other: CaptureRecord) -> Bool {
        abs(one.detectedAt.timeIntervalSince(other.detectedAt)) <= sameNameSeconds
    }

    private static func haveSameName(_ one: CaptureRecord, _ other: CaptureRecord) -> Bool {
        one.object.folder == other.object.folder && !one.object.isInMemory
            && SafeName.split(one.object.name).stem.lowercased()
                == SafeName.split(other.object.name).stem.lowercased()
    }

    /// Returns whether two names with different stems can belong to the same shot.
    private static func canShareShot(_ one: String, _ other: String) -> Bool {
        let numbers = [one, other].map {
            String(SafeName.split($0).stem.reversed().prefix { $0.isWholeNumber })
        }
        return (isDriverName(one) && isDriverName(other)) || (!numbers[0].isEmpty && numbers[0] == numbers[1])
    }

    /// Returns whether the name comes from libgphoto2: `capt` and a sequence number. The driver chooses these
    /// names for photos in the camera's memory.
    private static func isDriverName(_ name: String) -> Bool {
        let stem = SafeName.split(name).stem.lowercased()
        return stem.hasPrefix("capt") && stem.count > 4 && stem.dropFirst(4).allSatisfy(\.isWholeNumber)
    }
}
