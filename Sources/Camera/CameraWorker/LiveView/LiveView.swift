import FrameFastModel
import WorkerProtocol

/// The state of live view: the queue of frame requests, whether live view is on, and the times of the next
/// steps. This type sends no requests and does not read the clock.
struct LiveView {
    /// A step of live view.
    enum Step: Hashable, Sendable {
        /// End live view.
        case end
        /// Poll for events.
        case poll
        /// Send a frame for a request.
        case frame(id: UInt64, LiveFrameCommand)
    }

    /// The pause of live view after an announced photo. The daemon requests the photo within
    /// this time.
    static let photoPause = Duration.milliseconds(300)
    /// The battery level below which live view ends and cannot start, in percent. The remaining charge is
    /// reserved for photos.
    static let batteryLeast = 10
    /// Returns the battery level as a text such as `at 5 %`, or `nil` if the level is sufficient for live
    /// view or unknown.
    static func lowBattery(_ facts: CameraFacts) -> String? {
        guard let percent = facts.batteryPercent else { return facts.isBatteryLow ? "low" : nil }
        return percent < batteryLeast ? "at \(percent) %" : nil
    }

    /// The interval for checking the camera's temperature.
    static let heatCheck = Duration.milliseconds(10_000)
    /// The time between two tries to end live view while the camera is busy.
    static let endRetryInterval = Duration.milliseconds(200)
    /// The maximum number of tries to end live view.
    static let endTriesMax = 25
    /// The time between two tries to get a frame while the camera is busy.
    static let busyRetryInterval = Duration.milliseconds(100)
    /// The maximum number of tries to get a frame. The tries take 3 s in total.
    static let busyTriesMax = 30

    /// The queued frame requests, oldest first.
    private var commands: [(id: UInt64, command: LiveFrameCommand)] = []
    /// Whether live view is on.
    private(set) var isOn = false
    /// The time of the next temperature check.
    private var heatDue = Instant.start
    /// The time at which live view ends if no other frame is requested.
    private var idleEnd = Instant.start
    /// The number of consecutive tries for a frame that failed because the camera was busy.
    private var busyTries = 0
    /// The end of the current pause.
    private var pausedUntil = Instant.start
    /// The number of failed tries to end live view and the time of the next try, or `nil` if live view is not
    /// ending.
    private var ending: (tries: Int, due: Instant)?

    /// Enqueues a frame request.
    mutating func enqueue(_ id: UInt64, _ command: LiveFrameCommand, at now: Instant) {
        commands.append((id, command))
        idleEnd = now + .milliseconds(LiveViewLimits.restMs)
    }

    /// Keeps live view on without a frame request, for example during a focus move.
    mutating func keepOn(at now: Instant) { idleEnd = now + .milliseconds(LiveViewLimits.restMs) }

    /// Pauses live view for a photo that was announced or is being taken.
    mutating func pauseForPhoto(at now: Instant) { pausedUntil = now + Self.photoPause }

    /// Ends the pause.
    mutating func endPause() { pausedUntil = .start }

    /// Returns the next step, or `nil` if no step is due. If the step is a frame, removes its request from
    /// the queue.
    ///
    /// Events have priority over frames, because an event may announce a photo. While the photo store is
    /// full, the worker does not poll for events.
    ///
    /// - Parameters:
    ///   - mustPoll: Whether events arrive only in responses to polls.
    ///   - isStoreFull: Whether the photo store is full.
    ///   - pollDelay: The time until the next poll is due.
    mutating func nextStep(
        at now: Instant, mustPoll: Bool, isStoreFull: Bool, pollDelay: Duration
    ) -> Step? {
        if isEndDue(at: now) { return .end }
        guard let (id, command) = next(at: now) else { return nil }
        guard !mustPoll || isStoreFull || pollDelay > .zero else {
            requeue(id, command)
            return .poll
        }
        return .frame(id: id, command)
    }

    /// Removes and returns the next request, or returns `nil` if no request may be performed now.
    mutating func next(at now: Instant) -> (id: UInt64, command: LiveFrameCommand)? {
        guard ending == nil, now >= pausedUntil, !commands.isEmpty else { return nil }
        return commands.removeFirst()
    }

    /// Puts a request back at the front of the queue.
    mutating func requeue(_ id: UInt64, _ command: LiveFrameCommand) { commands.insert((id, command), at: 0) }

    /// Puts a request back at the front of the queue because the camera was busy.
    ///
    /// - Returns: `false` if all tries are used up.
    mutating func retryBusy(_ id: UInt64, _ command: LiveFrameCommand, at now: Instant) -> Bool {
        busyTries += 1
        guard busyTries < Self.busyTriesMax else { return false }
        requeue(id, command)
        pausedUntil = now + Self.busyRetryInterval
        return true
    }

    /// Removes all requests and returns their ids.
    mutating func removeCommands() -> [UInt64] {
        defer { commands = [] }
        return commands.map(\.id)
    }

    /// Records that live view is on.
    mutating func recordStart(at now: Instant) {
        busyTries = 0
        guard !isOn else { return }
        isOn = true
        heatDue = now + Self.heatCheck
    }

    /// Records that live view is off.
    mutating func recordEnd() {
        isOn = false
        ending = nil
    }

    /// Requests the end of live view.
    mutating func requestEnd(at now: Instant) { if isOn, ending == nil { ending = (0, now) } }

    /// Records a failed try to end live view.
    ///
    /// - Returns: Whether to retry.
    mutating func recordEndFailure(at now: Instant) -> Bool {
        let tries = (ending?.tries ?? 0) + 1
        ending = (tries, now + Self.endRetryInterval)
        return tries < Self.endTriesMax
    }

    /// Returns whether live view must end now: its end was requested, or no frame was requested for some
    /// time.
    func isEndDue(at now: Instant) -> Bool {
        guard isOn else { return false }
        if let ending { return now >= ending.due }
        return commands.isEmpty && now >= idleEnd
    }

    /// Returns whether a temperature check is due. If so, schedules the next check.
    mutating func isHeatCheckDue(at now: Instant) -> Bool {
        guard isOn, now >= heatDue else { return false }
        heatDue = now + Self.heatCheck
        return true
    }

    /// The time of the next step, or `nil` if no step is scheduled.
    var due: Instant? {
        let steps: [Instant?] = [
            commands.isEmpty || ending != nil ? nil : pausedUntil,
            isOn ? ending?.due ?? (commands.isEmpty ? idleEnd : nil) : nil,
        ]
        return steps.compactMap(\.self).min()
    }
}
