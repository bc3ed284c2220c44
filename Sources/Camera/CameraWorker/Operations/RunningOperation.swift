import FrameFastModel
import Glibc

/// An operation in progress.
struct RunningOperation {
    /// The current step of an operation.
    enum Step {
        /// The shutter is open until the given time, in nanoseconds of the boot clock.
        case open(untilNs: UInt64)
        /// A movie is being recorded until the given time or a stop command.
        case recording(untilNs: UInt64?)
        /// The operation takes photos at fixed times.
        case ticks(IntervalTicks)
        /// The worker is changing a setting before the next photo.
        case setting
        /// The next photo is due.
        case shot
        /// The photo has failed, and the worker must release the shutter button.
        case releasing
        /// The camera is taking the photo.
        case exposing
        /// The focus is moving before the next photo.
        case focus
        /// The worker must restore the changed settings.
        case restoring
        /// The settings are restored, and the worker waits for the photos.
        case photos(PhotoWait)

        /// Whether the worker releases the shutter in this step.
        var releasesShutter: Bool {
            switch self {
            case .ticks, .shot: true
            default: false
            }
        }
    }

    let command: CameraOperation
    var step: Step
    /// The start of the operation, in nanoseconds of the boot clock.
    let beganNs: UInt64
    /// The time of the next step, in nanoseconds of the boot clock.
    var dueNs: UInt64
    /// The number of consecutive failed tries of the next step.
    var tries = 0
    /// The number of photos taken.
    var done = 0
    /// The failed setting changes of an interval, or `nil` if no change failed. After a reconnect, includes
    /// the earlier failures from the request.
    var failedChanges: FailedSettingChanges?
    /// The result of the operation, or `nil` while it runs. After the operation has ended, the worker
    /// restores the changed settings.
    var end: (state: CameraOperationProgress.State, reason: String?)?
    /// Whether the next connection continues the operation. If so, the end of the operation is not reported
    /// in this connection.
    var continues = false
    /// The duration of the operation, in milliseconds, or `nil` while it is running.
    var tookMs: Int?
    /// The photos that the camera has announced since the start of the operation.
    private(set) var announced = AnnouncedPhotos()
    /// The photos that the camera announced before the operation.
    var earlierPhotos = RecentPhotos()
    /// The number of earlier photos in a memory that can't be listed. The camera transfers these photos
    /// first.
    var earlierInMemory = 0
    /// The handles of the objects that were unreported at the last comparison before the operation, or `nil`
    /// without a comparison. These objects are not photos of the operation.
    var unreportedBefore: Set<UInt32>?
    /// The duration of the exposures of a series so far, in nanoseconds.
    var seriesNs: UInt64 = 0
    /// The time until which the camera may reduce the noise of the last exposure, in nanoseconds of the boot
    /// clock. 0 after a short exposure.
    private(set) var noiseReductionEndNs: UInt64 = 0
    /// Whether the next step waits because the camera may reduce the noise of the last exposure.
    private(set) var isAwaitingNoiseReduction = false
    /// Whether the worker has started to wait for the photos.
    private(set) var hasAwaitedPhotos = false
    /// The original value of the setting that a bracket changes.
    var base: CameraSetting?

    /// The settings that end the exposure or movie, or that release the button after a failed photo; `nil`
    /// for an operation without such settings.
    var toggle: CameraProfile.Toggle?
    /// The settings that take the next photo, or `nil` if the driver's release command takes it.
    var release: ReleaseSequence?
    /// The reason why the camera refused to start the exposure, or `nil` if the exposure has started.
    var startFailure: String?

    var kind: CameraOperation.Kind { command.kind }

    /// The total number of photos and movies.
    var total: Int {
        switch command {
        case .interval(let command): command.count
        case .bracket(let command): command.stops.count
        case .focusStack(let command): command.count
        case .bulb, .release, .movie: 1
        }
    }

    /// The number of photos to wait for, or `nil` if the operation does not wait for photos or has already
    /// waited. A camera also saves an exposure or a movie that a person stops.
    var expectedPhotos: Int? {
        guard !hasAwaitedPhotos else { return nil }
        return switch (command, end?.state) {
        case (.bulb, .ended), (.bracket, .ended), (.focusStack, .ended), (.movie, .ended): total
        // If the camera refused the start, it may have taken no photo.
        case (.bulb, .stopped) where startFailure == nil: total
        case (.movie, .stopped): total
        default: nil
        }
    }

    /// The duration of all exposures, in nanoseconds. For a movie, at most ``PhotoWait/movieMaxNs``.
    var exposedNs: UInt64 {
        let tookNs = UInt64(max(0, tookMs ?? 0)) * 1_000_000
        return switch command {
        case .bulb: tookNs
        case .movie: min(tookNs, PhotoWait.movieMaxNs)
        case .interval, .bracket, .focusStack, .release: seriesNs
        }
    }

    /// Records a file that the camera has announced. Ignores files of earlier photos.
    ///
    /// - Parameter isNew: Whether the file is new. `false` for a change of a file that was reported before.
    mutating func recordAnnouncement(of object: CameraObject, isNew: Bool = true) {
        // An interval does not wait for its photos, and the names of up to a million photos would need much
        // memory.
        guard kind != .interval, isNew, !earlierPhotos.contains(object) else { return }
        announced.record(object.name)
        // Makes the next step due immediately. The step `.photos` decides whether the operation is complete.
        // After noise reduction, `.restoring` restores the settings, and `.exposing` continues the series.
        switch step {
        case .photos: dueNs = 0
        case .exposing where isAwaitingNoiseReduction, .restoring where isAwaitingNoiseReduction: dueNs = 0
        default: break
        }
    }

    /// Records a photo that the camera has transferred from its memory. Ignores earlier photos.
    mutating func recordMemoryPhoto(_ object: CameraObject) {
        guard earlierInMemory == 0 else {
            earlierInMemory -= 1
            return
        }
        recordAnnouncement(of: object)
    }

    // MARK: Noise reduction

    /// The retry interval while the camera is busy, in nanoseconds.
    static let retryNs: UInt64 = 500_000_000
    /// The pause after a photo and after a focus move, in nanoseconds.
    static let settleNs: UInt64 = 200_000_000
    /// The shortest exposure after which cameras reduce noise with a dark frame, in nanoseconds.
    static let longExposureNs: UInt64 = 1_000_000_000

    /// Records that the camera has started to expose a photo of a series, and schedules the next step.
    mutating func recordExposure(ns: UInt64, nowNs: UInt64) {
        seriesNs += ns
        step = .exposing
        isAwaitingNoiseReduction = false
        dueNs = nowNs + ns + Self.settleNs
        noiseReductionEndNs = ns < Self.longExposureNs ? 0 : nowNs + 2 * ns
    }

    /// Returns whether the camera may still reduce the noise of the last exposure.
    ///
    /// After a long exposure, many cameras take a dark frame of the same duration. Until the camera announces
    /// the photo, it refuses releases and changes of settings (INDI issue 251, libgphoto2 issue 94).
    func mayReduceNoise(nowNs: UInt64) -> Bool {
        nowNs < noiseReductionEndNs && announced.count < (kind == .bulb ? total : done)
    }

    /// Schedules another try of a step that the camera refused, if the camera may still reduce noise.
    ///
    /// - Returns: `false` if the camera no longer reduces noise.
    mutating func waitForNoiseReduction(nowNs: UInt64) -> Bool {
        isAwaitingNoiseReduction = mayReduceNoise(nowNs: nowNs)
        guard isAwaitingNoiseReduction else { return false }
        // An announced photo ends the wait early. The interval is an eighth of the remaining time, at least
        // `retryNs`, which limits the number of refused requests after a long exposure.
        dueNs = nowNs + max(Self.retryNs, (noiseReductionEndNs - nowNs) / 8)
        return true
    }

    /// Returns the number of new photos in a memory that can't be listed.
    ///
    /// - Parameter count: The number of photos in the memory.
    mutating func countNewPhotos(inMemory count: Int) -> Int {
        earlierInMemory = min(earlierInMemory, count)
        return count - earlierInMemory
    }

    /// Returns the number of photos whose events were lost. Returns 0 if the handles were not compared before
    /// the operation, because the objects may then be older.
    ///
    /// - Parameter unreported: The handles of the objects that are unreported now.
    func countUnannounced(_ unreported: Set<UInt32>) -> Int {
        guard let unreportedBefore else { return 0 }
        return announced.photos(inFiles: unreported.subtracting(unreportedBefore).count)
    }

    /// Starts to wait for the photos of the operation.
    ///
    /// - Parameters:
    ///   - expected: The number of photos.
    ///   - end: The result of the operation, if the camera announces all photos.
    ///   - nowNs: The current time of the boot clock, in nanoseconds.
    mutating func beginPhotoWait(
        for expected: Int, end: (state: CameraOperationProgress.State, reason: String?), nowNs: UInt64
    ) {
        step = .photos(PhotoWait(expected: expected, exposedNs: exposedNs, end: end, nowNs: nowNs))
        hasAwaitedPhotos = true
        self.end = nil
        toggle = nil
        dueNs = nowNs
    }

    // MARK: End

    /// Stops the operation. A stop during the wait for the photos ends the wait.
    ///
    /// - Returns: Whether the worker must now end the exposure or movie, or release the button. If `false`,
    ///   the next step restores the changed settings.
    mutating func stop(
        _ state: CameraOperationProgress.State, _ reason: String?, nowNs: UInt64
    ) -> Bool {
        end = (state, reason)
        tries = 0
        dueNs = nowNs
        switch step {
        case .open, .recording: return true
        case .shot where release?.mayBePressed == true:
            toggle = release?.method
            step = .releasing
            return true
        default:
            step = .restoring
            return false
        }
    }

    /// The time between two tries to end an exposure or movie, in nanoseconds.
    static let endRetryNs: UInt64 = 50_000_000
    /// The maximum number of tries to end an exposure or movie, after the first try.
    static let endTriesMax = 200

    /// Creates the operation for an exposure that the camera refused to start and to end. The shutter may be
    /// open. Therefore, the operation runs until the shutter is closed.
    static func refusedExposure(
        _ command: BulbCommand, toggle: CameraProfile.Toggle, reason: String, nowNs: UInt64
    ) -> RunningOperation {
        RunningOperation(
            command: .bulb(command), step: .open(untilNs: nowNs), beganNs: nowNs, dueNs: nowNs + endRetryNs,
            tries: 1, toggle: toggle, startFailure: reason)
    }

    /// Returns whether the shutter may be open after the camera refused to start an exposure and to end it.
    ///
    /// A camera that has not started an exposure also refuses to end one. The result is therefore `true` only
    /// if the camera accepted a setting or was busy. The result is always `false` for a movie: a camera in
    /// photo mode reports busy when it refuses to start or to end a movie.
    ///
    /// - Parameters:
    ///   - accepted: The number of accepted settings that start the exposure.
    ///   - isBusy: Whether the camera was busy when it refused to end the exposure.
    static func mayBeExposing(_ kind: CameraOperation.Kind, accepted: Int, isBusy: Bool) -> Bool {
        kind == .bulb && (accepted > 0 || isBusy)
    }

    /// The result of an operation that is not stopped early.
    var result: (state: CameraOperationProgress.State, reason: String?) {
        guard let startFailure else { return (.ended, nil) }
        return (.failed, startFailure)
    }

    /// Records a try to close the shutter, release its button or end the movie. Schedules the next try, or
    /// the restoring of the changed settings.
    ///
    /// - Parameters:
    ///   - askedNs: The time of the command.
    ///   - nowNs: The time of the camera's response.
    mutating func recordEndTry(isEnded: Bool, askedNs: UInt64, nowNs: UInt64) {
        guard isEnded || tries >= Self.endTriesMax else {
            tries += 1
            dueNs = nowNs + Self.endRetryNs
            return
        }
        if !isEnded {
            end = (
                .failed, kind == .movie ? OperationReasons.mayRecord : OperationReasons.shutterMayBeOpen
            )
        }
        tries = 0
        // The exposure or movie ends at the time of the command. A Nikon responds later: after it has written
        // the movie, or up to 5 s later during noise reduction.
        tookMs = elapsedMs(nowNs: askedNs)
        let exposureNs = askedNs - min(askedNs, beganNs)
        if isEnded, kind == .bulb, exposureNs >= Self.longExposureNs {
            noiseReductionEndNs = askedNs + exposureNs
        }
        step = .restoring
        dueNs = nowNs
    }

    // MARK: Progress

    func elapsedMs(nowNs: UInt64) -> Int { Int(clamping: (nowNs - min(nowNs, beganNs)) / 1_000_000) }

    /// Returns the progress of the operation.
    func progress(nowNs: UInt64, wallMs: Int, tick: IntervalTick? = nil) -> CameraOperationProgress {
        CameraOperationProgress(
            kind: kind, state: end?.state ?? .running, done: done, total: total, tick: tick,
            elapsedMs: tookMs ?? elapsedMs(nowNs: nowNs),
            nextAtMs: nextNs.map { wallMs + (Int(clamping: $0) - Int(clamping: nowNs)) / 1_000_000 },
            nextNs: nextNs, epochNs: epochNs, failedChanges: failedChanges, reason: end?.reason)
    }

    /// Records the failed setting changes of an interval.
    ///
    /// - Parameter last: The last tick whose settings may be among the results.
    /// - Returns: Whether any change failed.
    mutating func recordFailures(among results: [CameraSettingResult], through last: Int) -> Bool {
        guard case .interval(let interval) = command else { return false }
        let failed = results.filter { ![.set, .unchanged].contains($0.outcome) }
        guard let first = failed.first else { return false }
        if failedChanges == nil {
            failedChanges = FailedSettingChanges(
                count: 0, tick: interval.tick(of: first.change, through: last), change: first.change,
                reason: first.reason ?? first.outcome.rawValue)
        }
        failedChanges?.count += failed.count
        return true
    }

    private var epochNs: UInt64? {
        guard case .interval(let command) = command else { return nil }
        return command.epochNs
    }

    /// The time of the next photo of an interval, in nanoseconds of the boot clock, or `nil` if no photo
    /// follows.
    private var nextNs: UInt64? {
        guard end == nil, case .ticks(let ticks) = step else { return nil }
        return ticks.dueNs
    }
}

extension CameraOperation {
    /// Whether all parameters are in their valid ranges.
    var isWithinBounds: Bool {
        switch self {
        case .bulb(let command): BulbCommand.rangeMs.contains(command.durationMs)
        case .interval(let command):
            IntervalCommand.periodRangeMs.contains(command.periodMs)
                && IntervalCommand.countRange.contains(command.count)
                && (0...command.count).contains(command.first)
                && (0...command.count).contains(command.shot ?? 0)
                && max(command.epochNs, command.firstNs ?? 0) < UInt64(Int64.max)
        case .bracket(let command):
            BracketCommand.countRange.contains(command.stops.count)
                && command.stops.allSatisfy { BracketCommand.stopsRange.contains($0) }
        case .focusStack(let command):
            FocusStackCommand.countRange.contains(command.count)
                && FocusStep.countRange.contains(command.step.count)
        case .release(let command): command.atNs < UInt64(Int64.max)
        case .movie(let command): command.durationMs.map { MovieCommand.rangeMs.contains($0) } ?? true
        }
    }
}

extension CameraSetting {
    /// Returns the value that is brighter by a number of stops, or `nil` if the setting has no values in
    /// stops.
    func brighter(by stops: Double) -> CameraSettingValue? {
        switch key {
        case .shutter:
            guard let here = value?.stops(of: .shutter) else { return nil }
            return CameraSettingValue(seconds: exp2(here + stops))
        case .exposureCompensation:
            guard let here = value?.stops(of: .exposureCompensation) else { return nil }
            return CameraSettingValue(stops: here + stops)
        default: return nil
        }
    }
}
