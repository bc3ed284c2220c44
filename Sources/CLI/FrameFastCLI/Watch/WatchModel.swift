import FoundationEssentials
import FrameFastAPI

/// Everything that the screen shows, fed by events. A value: it makes no calls.
struct WatchModel {
    /// `nil` before the first snapshot.
    var status: StatusReply?
    /// Why the daemon is away; `nil` while it is there.
    var offline: Explanation?
    var shots = WatchShots()
    var isFilled = false
    /// Why the newest photos could not be listed; `nil` while they are, or are asked for.
    var fillFailure: Explanation?
    /// Conditions of a warning or worse that were there before; `nil` before the first snapshot.
    private var alarms: Set<String>?
    /// Whether something new needs attention, since it was last asked.
    private var hasNewAlarm = false
    /// Whether there may be uploads without an event yet: they are announced when they change, not when they are made.
    var lacksUploads = false
    private var pace: [CameraID: ShotPace] = [:]
    private var rates: [CameraID: TransferRate] = [:]

    /// Takes an event in.
    ///
    /// - Returns: Whether the newest photos have to be asked for.
    mutating func take(_ event: EventReply) -> Bool {
        switch event.body {
        case .snapshot(let new):
            status = new
            offline = nil
            shots.clear()
            isFilled = false
            fillFailure = nil
            note(new.conditions)
            return true
        case .conditions(let conditions): note(conditions)
        case .camera(let camera):
            rates[camera.id, default: TransferRate()].take(camera.progress, at: event.at)
        case .cameraRemoved(let id): rates[id] = nil
        case .capture(let capture): take(capture)
        case .upload(let job): shots.take(job)
        default: break
        }
        status?.apply(event.body)
        return false
    }

    /// The newest photos and their uploads came.
    ///
    /// - Parameter nextCursor: Where the photos before go on; `nil` when there are none.
    mutating func fill(_ captures: [CaptureReply], _ jobs: [UploadJobReply], nextCursor: String? = nil) {
        for capture in captures { note(capture) }
        shots.fill(newest: CapturesReply(captures: captures, nextCursor: nextCursor), jobs)
        isFilled = true
        fillFailure = nil
    }

    /// Whether something needs attention that did not before: told once.
    mutating func takeNewAlarm() -> Bool {
        defer { hasNewAlarm = false }
        return hasNewAlarm
    }

    /// What is there when the screen opens is on it; only what comes later is an alarm.
    private mutating func note(_ conditions: [ConditionReply]) {
        let now = Set(
            conditions.filter { $0.severity != .info }.map { "\($0.code) \($0.subject ?? "")" })
        if let alarms, !now.isSubset(of: alarms) { hasNewAlarm = true }
        alarms = now
    }

    /// Uploads of photos that events announced arrived.
    mutating func fill(_ jobs: [UploadJobReply]) { shots.fill([], jobs) }

    private mutating func take(_ capture: CaptureReply) {
        note(capture)
        if [.queued, .held, .retrying].contains(capture.state) { lacksUploads = true }
        shots.take(capture)
    }

    private mutating func note(_ capture: CaptureReply) {
        if let savedAt = capture.savedAt {
            pace[capture.cameraID, default: ShotPace()].take(capture.shotID, savedAt: savedAt)
        }
    }

    /// Shots a minute of a camera, oldest first.
    func pace(of camera: CameraReply, now: Date) -> [Int] {
        (pace[camera.id] ?? ShotPace()).values(now: now)
    }

    func rate(of camera: CameraReply) -> TransferRate { rates[camera.id] ?? TransferRate() }

    /// Cameras that are shown: ignored ones are not.
    var cameras: [CameraReply] { (status?.cameras ?? []).filter { !$0.isIgnored } }

    /// What they are called, so that two of one name are told apart.
    var names: CameraLabels { CameraLabels(cameras) }

    /// Whether every destination is paused.
    var arePaused: Bool {
        let all = status?.destinations ?? []
        return !all.isEmpty && all.allSatisfy { $0.state == .paused }
    }
}
