import FoundationEssentials
import FrameFastAPI

/// Everything that the screen shows, fed by events. A value: it asks nobody.
struct WatchModel {
    /// `nil` before the first snapshot.
    var status: StatusReply?
    /// Why the daemon is away; `nil` while it is there.
    var offline: Explanation?
    var shots = WatchShots()
    var isFilled = false
    /// Whether there may be uploads that nobody told of: they are told when they change, not when they are made.
    var lacksUploads = false
    private var pace: [String: ShotPace] = [:]
    private var rates: [String: TransferRate] = [:]

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
            return true
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
        shots.fill(captures, jobs)
        shots.end(at: nextCursor)
        isFilled = true
    }

    /// Uploads of photos that events told of came.
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

    /// Cameras that are shown: those that are left alone are not.
    var cameras: [CameraReply] { (status?.cameras ?? []).filter { !$0.isIgnored } }

    /// What they are called, so that two of one name are told apart.
    var names: CameraLabels { CameraLabels(cameras) }

    /// Whether every destination is paused.
    var arePaused: Bool {
        let all = status?.destinations ?? []
        return !all.isEmpty && all.allSatisfy { $0.state == .paused }
    }
}
