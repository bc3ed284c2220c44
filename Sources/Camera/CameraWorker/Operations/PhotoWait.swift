import FrameFastModel

/// The wait for the photos of an operation, after its last step. A camera may accept every command of an
/// operation and still take no photo. Only an announcement proves that a photo was taken.
struct PhotoWait {
    enum Decision: Hashable {
        /// Photos are missing. Decide again at this time, or when a photo is announced.
        case wait(untilNs: UInt64)
        /// The camera has announced all photos.
        case complete
        /// Photos are missing at the end of the wait.
        case failed(photos: Int)
    }

    /// The time that a camera may need to announce a photo after its exposure, in nanoseconds. A camera with
    /// a full buffer and a slow card needs about 10 s.
    static let limitNs: UInt64 = 20_000_000_000
    /// The maximum time that a movie adds to the wait, in nanoseconds. The camera writes most of a long movie
    /// during the recording.
    static let movieMaxNs: UInt64 = 40_000_000_000
    /// The minimum interval between two checks for photos whose events were lost, in nanoseconds.
    static let checkNs: UInt64 = 5_000_000_000

    /// The number of photos to wait for.
    let expected: Int
    /// The result of the operation, if all photos are announced.
    let end: (state: CameraOperationProgress.State, reason: String?)
    /// The time without a new photo after which the operation fails, in nanoseconds. Noise reduction with a
    /// dark frame takes as long as the exposure itself, for each photo of a series.
    private let timeLimitNs: UInt64
    private var deadlineNs: UInt64
    /// The interval between two checks. A long wait has longer intervals, because over USB, the driver leaks
    /// the memory of each response.
    private let checkIntervalNs: UInt64
    /// The time of the next check for photos whose events were lost.
    private(set) var checkDueNs: UInt64
    private var photos = 0

    /// - Parameters:
    ///   - exposedNs: The duration of all exposures of the operation, in nanoseconds.
    ///   - nowNs: The current time of the boot clock, in nanoseconds.
    init(
        expected: Int, exposedNs: UInt64, end: (state: CameraOperationProgress.State, reason: String?),
        nowNs: UInt64
    ) {
        self.expected = expected
        self.end = end
        timeLimitNs = exposedNs + Self.limitNs
        deadlineNs = nowNs + timeLimitNs
        checkIntervalNs = max(Self.checkNs, timeLimitNs / 8)
        checkDueNs = nowNs + checkIntervalNs
    }

    /// Decides whether to continue the wait. Each new photo restarts the time limit, because a camera may
    /// transfer the photos of a series one after another.
    ///
    /// - Parameters:
    ///   - photos: The number of photos, including photos whose events were lost.
    ///   - isBlocked: Whether the worker can't receive photos now, for example because the disk is full.
    mutating func decide(photos: Int, isBlocked: Bool = false, nowNs: UInt64) -> Decision {
        guard photos < expected else { return .complete }
        if photos > self.photos || isBlocked { deadlineNs = nowNs + timeLimitNs }
        self.photos = max(photos, self.photos)
        guard nowNs < deadlineNs else { return .failed(photos: photos) }
        if nowNs >= checkDueNs { checkDueNs = nowNs + checkIntervalNs }
        return .wait(untilNs: min(deadlineNs, checkDueNs))
    }

    /// Returns whether to check for photos whose events were lost: at intervals, and before the wait fails.
    func needsCheck(photos: Int, nowNs: UInt64) -> Bool {
        photos < expected && nowNs >= min(checkDueNs, deadlineNs)
    }
}

/// The photos that a camera has announced since the start of an operation.
struct AnnouncedPhotos: Hashable {
    /// The names without extension. The two files of a RAW+JPEG pair are one photo.
    private var names: Set<String> = []
    /// The file names. A camera may announce a file twice.
    private var files: Set<String> = []

    /// The number of photos.
    var count: Int { names.count }

    /// Records an announced file.
    mutating func record(_ name: String) {
        files.insert(name)
        names.insert(Self.stem(of: name))
    }

    /// Returns a file name without its extension.
    static func stem(of name: String) -> String {
        String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
    }

    /// Converts a number of files to a number of photos. Assumes that each photo has as many files as the
    /// announced photos have.
    func photos(inFiles count: Int) -> Int {
        let filesPerPhoto = max(1, files.count / max(1, names.count))
        return (count + filesPerPhoto - 1) / filesPerPhoto
    }
}
