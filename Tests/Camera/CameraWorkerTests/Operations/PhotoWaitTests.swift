import FrameFastModel
import Testing

@testable import CameraWorker

/// Tests of waiting for the photos that an operation took.
@Suite struct PhotoWaitTests {
    private static let secondNs: UInt64 = 1_000_000_000
    private static let limit = Int(PhotoWait.limitNs / secondNs)

    private static func ns(_ seconds: Int) -> UInt64 { UInt64(seconds) * secondNs }

    private static func wait(for expected: Int, exposed seconds: Int = 0) -> PhotoWait {
        PhotoWait(expected: expected, exposedNs: ns(seconds), end: (.ended, nil), nowNs: ns(100))
    }

    /// Each row has the exposure time in seconds, the seconds since the end of the exposure, the number of
    /// announced photos, and the decision. The decision `nil` means a wait until any time in the limit.
    private static let bulbs: [(Int, Int, Int, PhotoWait.Decision?)] = [
        (1, 0, 1, .complete), (1, 0, 0, nil), (1, limit, 0, nil), (1, limit + 1, 0, .failed(photos: 0)),
        // Noise reduction may take as long as the exposure.
        (600, 600, 0, nil), (600, 610, 1, .complete), (600, 600 + limit, 0, .failed(photos: 0)),
        // A person pressed the shutter button, too.
        (1, 1, 2, .complete),
    ]

    @Test(arguments: bulbs)
    func `a bulb exposure fails only if no photo follows in time`(
        exposure: Int, after: Int, photos: Int, decision: PhotoWait.Decision?
    ) {
        var wait = Self.wait(for: 1, exposed: exposure)
        let made = wait.decide(photos: photos, nowNs: Self.ns(100 + after))
        if let decision {
            #expect(made == decision)
        } else {
            guard case .wait(let untilNs) = made else {
                Issue.record("\(made)")
                return
            }
            #expect(untilNs > Self.ns(100 + after) && untilNs <= Self.ns(100 + exposure + Self.limit))
        }
    }

    @Test func `each photo of a series restarts the time limit`() {
        var wait = Self.wait(for: 3)
        var now = 100
        for photos in 1...2 {
            now += Self.limit - 1
            guard case .wait = wait.decide(photos: photos, nowNs: Self.ns(now)) else {
                Issue.record("the wait ended after \(photos) photos")
                return
            }
        }
        // The same number of photos does not restart the limit.
        guard case .wait = wait.decide(photos: 2, nowNs: Self.ns(now + Self.limit - 1)) else {
            Issue.record("the wait ended early")
            return
        }
        let failed = wait.decide(photos: 2, nowNs: Self.ns(now + Self.limit))
        #expect(failed == .failed(photos: 2))
        let complete = wait.decide(photos: 3, nowNs: Self.ns(now + 2 * Self.limit))
        #expect(complete == .complete)
    }

    @Test func `a wait does not fail while the worker can't receive photos`() {
        var wait = Self.wait(for: 1)
        for step in 1...10 {
            let now = Self.ns(100 + step * Self.limit)
            guard case .wait = wait.decide(photos: 0, isBlocked: true, nowNs: now) else {
                Issue.record("the wait ended with a full disk")
                return
            }
        }
        let end = wait.decide(photos: 0, nowNs: Self.ns(100 + 11 * Self.limit))
        #expect(end == .failed(photos: 0))
    }

    @Test func `checks for lost events at intervals and before the wait fails`() {
        var wait = Self.wait(for: 1)
        #expect(!wait.needsCheck(photos: 0, nowNs: Self.ns(104)))
        #expect(wait.needsCheck(photos: 0, nowNs: Self.ns(105)))
        #expect(!wait.needsCheck(photos: 1, nowNs: Self.ns(105)))
        let decision = wait.decide(photos: 0, nowNs: Self.ns(105))
        #expect(decision == .wait(untilNs: Self.ns(110)))
        #expect(!wait.needsCheck(photos: 0, nowNs: Self.ns(109)))
        #expect(wait.needsCheck(photos: 0, nowNs: Self.ns(100 + Self.limit)))
    }

    @Test func `a long exposure has longer intervals between checks for lost events`() {
        var wait = Self.wait(for: 1, exposed: 600)
        // One eighth of 620 s: the exposure and the time limit.
        let interval = 620 * Self.secondNs / 8
        let first = Self.ns(100) + interval
        #expect(!wait.needsCheck(photos: 0, nowNs: first - 1))
        #expect(wait.needsCheck(photos: 0, nowNs: first))
        let decision = wait.decide(photos: 0, nowNs: first)
        #expect(decision == .wait(untilNs: first + interval))
    }

    @Test func `counts a file that is announced twice as one file`() {
        var photos = AnnouncedPhotos()
        for _ in 1...2 { photos.record("A.JPG") }
        #expect(photos.count == 1 && photos.photos(inFiles: 2) == 2)
    }

    @Test func `counts the two files of a pair as one photo`() {
        var photos = AnnouncedPhotos()
        #expect(photos.photos(inFiles: 1) == 1 && photos.photos(inFiles: 0) == 0)
        for name in ["IMG_0001.CR3", "IMG_0001.JPG", "IMG_0002.CR3", "IMG_0002.JPG", "MVI_0003.MP4"] {
            photos.record(name)
        }
        #expect(photos.count == 3)
        photos.record("IMG_0004")
        #expect(photos.count == 4)
        var pairs = AnnouncedPhotos()
        for name in ["A.CR3", "A.JPG"] { pairs.record(name) }
        #expect(pairs.photos(inFiles: 2) == 1 && pairs.photos(inFiles: 3) == 2)
    }

    private static func ended(
        _ command: CameraOperation, _ state: CameraOperationProgress.State
    ) -> RunningOperation {
        var operation = RunningOperation(command: command, step: .restoring, beganNs: 0, dueNs: 0)
        operation.end = (state, nil)
        operation.tookMs = 90_000
        operation.seriesNs = 7 * secondNs
        return operation
    }

    private static let stack = FocusStackCommand(count: 4, step: FocusStep(isFar: true))
    /// An operation, its final state, the number of photos to wait for, and the total exposure time in
    /// seconds. The exposure time of a movie is at most ``PhotoWait/movieMaxNs``.
    private static let commands: [(CameraOperation, CameraOperationProgress.State, Int?, Int)] = [
        (.bulb(BulbCommand(durationMs: 90_000)), .ended, 1, 90),
        // The camera saves the photo or movie of an operation that a person stops.
        (.bulb(BulbCommand(durationMs: 90_000)), .stopped, 1, 90),
        (.bulb(BulbCommand(durationMs: 90_000)), .failed, nil, 90),
        (.bracket(BracketCommand(stops: [-1, 0, 1])), .ended, 3, 7),
        (.bracket(BracketCommand(stops: [-1, 0, 1])), .stopped, nil, 7),
        (.focusStack(stack), .ended, 4, 7),
        (.movie(MovieCommand(durationMs: 90_000)), .ended, 1, 40),
        (.movie(MovieCommand(durationMs: 90_000)), .stopped, 1, 40),
        (.movie(MovieCommand()), .stopped, 1, 40), (.movie(MovieCommand()), .failed, nil, 40),
        (.interval(IntervalCommand(epochNs: 0, periodMs: 1_000, count: 5)), .ended, nil, 7),
    ]

    @Test(arguments: commands)
    func `determines the photos that the worker waits for after an operation`(
        command: CameraOperation, state: CameraOperationProgress.State, photos: Int?, seconds: Int
    ) {
        let operation = Self.ended(command, state)
        #expect(operation.expectedPhotos == photos)
        #expect(operation.exposedNs == Self.ns(seconds))
    }

    /// The argument is the state of the exposure before the wait. A person can stop an exposure, and then
    /// also stop the wait.
    @Test(arguments: [CameraOperationProgress.State.stopped, .ended])
    func `a stop ends the wait for a photo immediately`(
        state: CameraOperationProgress.State
    ) {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 90_000)), state)
        #expect(operation.expectedPhotos == 1)
        operation.beginPhotoWait(for: 1, end: (state, nil), nowNs: Self.ns(200))
        guard case .photos = operation.step else { return #expect(Bool(false), "\(operation.step)") }
        let isRunning = operation.progress(nowNs: Self.ns(200), wallMs: 0).state == .running
        #expect(isRunning && operation.expectedPhotos == nil)
        let mustEndExposure = operation.stop(.stopped, OperationReasons.asked, nowNs: Self.ns(201))
        #expect(!mustEndExposure && operation.dueNs == Self.ns(201))
        guard case .restoring = operation.step else { return #expect(Bool(false), "\(operation.step)") }
        let progress = operation.progress(nowNs: Self.ns(201), wallMs: 0)
        #expect(progress.state == .stopped && progress.reason == OperationReasons.asked)
        #expect(operation.expectedPhotos == nil)
    }

    @Test func `an announced photo makes a waiting operation due immediately`() {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 1_000)), .ended)
        operation.dueNs = 500
        operation.recordAnnouncement(of: Self.file("A.JPG"))
        #expect(operation.dueNs == 500)
        operation.step = .photos(Self.wait(for: 1))
        operation.recordAnnouncement(of: Self.file("A.RAW"))
        #expect(operation.dueNs == 0 && operation.announced.count == 1)
    }

    private static func file(_ name: String, at time: Int64? = 1_000) -> CameraObject {
        CameraObject(folder: "/store_00010001/DCIM", name: name, size: 1, cameraTime: time)
    }

    /// `A.RAW` was announced before the operation. Each row has a file that is announced during the
    /// operation, the file's time, whether the file is new to the worker, and whether the file counts as a
    /// photo of the operation.
    private static let laterFiles: [(String, Int64?, Bool, Bool)] = [
        ("A.JPG", 1_000, true, false), ("A.JPG", 1_005, true, false), ("A.JPG", nil, true, false),
        ("A.RAW", 1_000, false, false), ("A.RAW", 9_000, false, false),
        // A photo that was on the card before the connection, and has changed.
        ("C.JPG", 500, false, false), ("C.JPG", 9_000, false, false),
        ("B.JPG", 1_000, true, true),
        // The camera has restarted its numbering.
        ("A.JPG", 1_006, true, true), ("A.JPG", Int64.min, true, true),
    ]

    @Test(arguments: laterFiles)
    func `a file of an earlier photo does not count as a new photo`(
        name: String, time: Int64?, isNew: Bool, isCounted: Bool
    ) {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 1_000)), .ended)
        var recent = RecentPhotos()
        recent.record(Self.file("A.RAW"))
        operation.earlierPhotos = recent
        operation.recordAnnouncement(of: Self.file(name, at: time), isNew: isNew)
        #expect(operation.announced.count == (isCounted ? 1 : 0))
    }

    /// Each row has the unreported objects at the last comparison before an operation, the unreported objects
    /// now, and the number of photos of the operation among these objects.
    private static let unreported: [(Set<UInt32>?, Set<UInt32>, Int)] = [
        ([], [], 0), ([], [8], 1), ([7], [7], 0), ([7], [7, 8], 1),
        // The earlier object was announced after the comparison.
        ([7], [8], 1), ([7, 9], [8, 9], 1), ([7], [], 0),
        // Without a comparison, the object may be an earlier one.
        (nil, [8], 0),
    ]

    @Test(arguments: unreported)
    func `unreported objects from before an operation do not count as its photos`(
        before: Set<UInt32>?, now: Set<UInt32>, photos: Int
    ) {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 1_000)), .ended)
        operation.unreportedBefore = before
        #expect(operation.countUnannounced(now) == photos)
    }

    @Test func `keeps only the last announced photos`() {
        var recent = RecentPhotos()
        for number in 0...RecentPhotos.countMax {
            for suffix in ["RAW", "JPG"] { recent.record(Self.file("\(number).\(suffix)")) }
        }
        #expect(!recent.contains(Self.file("0.JPG")) && recent.contains(Self.file("1.JPG")))
    }

    @Test func `earlier photos in the camera's memory do not count as new photos`() {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 1_000)), .ended)
        operation.earlierInMemory = 2
        let before = operation.countNewPhotos(inMemory: 2)
        operation.recordMemoryPhoto(Self.file("A.JPG"))
        let during = operation.countNewPhotos(inMemory: 1)
        let after = operation.countNewPhotos(inMemory: 2)
        #expect(before == 0 && during == 0 && after == 1 && operation.announced.count == 0)
        for name in ["B.JPG", "C.JPG"] { operation.recordMemoryPhoto(Self.file(name)) }
        let empty = operation.countNewPhotos(inMemory: 0)
        #expect(empty == 0 && operation.announced.count == 1)
    }

    @Test func `a memory with fewer photos than before the operation has no new photo`() {
        var operation = Self.ended(.bulb(BulbCommand(durationMs: 1_000)), .ended)
        operation.earlierInMemory = 3
        let fewer = operation.countNewPhotos(inMemory: 1)
        operation.recordMemoryPhoto(Self.file("A.JPG"))
        operation.recordMemoryPhoto(Self.file("B.JPG"))
        #expect(fewer == 0 && operation.announced.count == 1)
    }
}
