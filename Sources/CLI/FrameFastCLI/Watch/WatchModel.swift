import FoundationEssentials
import FrameFastAPI

/// The data of the live screen, updated by events. Makes no calls itself.
struct WatchModel {
    /// The status, or `nil` before the first snapshot.
    var status: StatusReply?
    /// The reason why the daemon is unreachable, or `nil` while the daemon is connected.
    var offline: Explanation?
    var shots = WatchShots()
    /// Whether the newest photos are listed.
    var isListed = false
    /// The reason why the newest photos could not be listed, or `nil` if they are listed or requested.
    var listFailure: Explanation?
    /// The codes and subjects of the current conditions that are warnings or worse, or `nil` before the first
    /// snapshot.
    private var alarms: Set<String>?
    /// Whether a new alarm occurred since the last call of ``consumeNewAlarm()``.
    private var hasNewAlarm = false
    /// Whether new uploads may be missing. The daemon sends an event when an upload changes, but no event for
    /// a new upload.
    var lacksUploads = false
    private var pace: [CameraID: ShotPace] = [:]
    private var rates: [CameraID: TransferRate] = [:]

    /// Applies an event.
    ///
    /// - Returns: Whether the caller must request the newest photos.
    mutating func apply(_ event: EventReply) -> Bool {
        switch event.body {
        case .snapshot(let new):
            status = new
            offline = nil
            shots.clear()
            isListed = false
            listFailure = nil
            updateAlarms(new.conditions)
            return true
        case .conditions(let conditions): updateAlarms(conditions)
        case .camera(let camera):
            rates[camera.id, default: TransferRate()].add(camera.progress, at: event.at)
        case .cameraRemoved(let id): rates[id] = nil
        case .capture(let capture): apply(capture)
        case .upload(let job): shots.apply(job)
        default: break
        }
        status?.apply(event.body)
        return false
    }

    /// Adds the newest photos and their uploads.
    ///
    /// - Parameter nextCursor: The cursor of the next older page, or `nil` if there are no older photos.
    mutating func addNewest(_ captures: [CaptureReply], _ jobs: [UploadJobReply], nextCursor: String? = nil) {
        for capture in captures { updatePace(capture) }
        shots.add(captures, jobs)
        shots.setOlderCursor(nextCursor)
        isListed = true
        listFailure = nil
    }

    /// Returns whether a new alarm occurred since the last call.
    mutating func consumeNewAlarm() -> Bool {
        defer { hasNewAlarm = false }
        return hasNewAlarm
    }

    /// Updates the alarms. Conditions that already exist when the screen opens are not new alarms.
    private mutating func updateAlarms(_ conditions: [ConditionReply]) {
        let now = Set(
            conditions.filter { $0.severity != .info }.map { "\($0.code) \($0.subject ?? "")" })
        if let alarms, !now.isSubset(of: alarms) { hasNewAlarm = true }
        alarms = now
    }

    /// Adds uploads of photos that events announced.
    mutating func addUploads(_ jobs: [UploadJobReply]) { shots.add([], jobs) }

    private mutating func apply(_ capture: CaptureReply) {
        updatePace(capture)
        if [.queued, .held, .retrying].contains(capture.state) { lacksUploads = true }
        shots.apply(capture)
    }

    private mutating func updatePace(_ capture: CaptureReply) {
        if let savedAt = capture.savedAt {
            pace[capture.cameraID, default: ShotPace()].add(capture.shotID, savedAt: savedAt)
        }
    }

    /// Returns the number of shots of a camera for each minute, the oldest first.
    func pace(of camera: CameraReply, now: Date) -> [Int] {
        (pace[camera.id] ?? ShotPace()).values(now: now)
    }

    func rate(of camera: CameraReply) -> TransferRate { rates[camera.id] ?? TransferRate() }

    /// The cameras that are not ignored.
    var cameras: [CameraReply] { (status?.cameras ?? []).filter { !$0.isIgnored } }

    /// The unique labels of the cameras.
    var names: CameraLabels { CameraLabels(cameras) }

    /// Whether every destination is paused.
    var areAllPaused: Bool {
        let all = status?.destinations ?? []
        return !all.isEmpty && all.allSatisfy { $0.state == .paused }
    }
}
