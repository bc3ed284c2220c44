import FrameFastModel
import GPhoto2

/// A request to change settings, performed one step at a time. The worker handles photos and releases between
/// the steps.
struct SettingsWriting {
    /// The state of a change in progress.
    struct Attempt {
        /// The camera's value after a photo has interrupted a change.
        struct Interruption {
            /// The value at the last read, or `nil` before the first read.
            var word: String?
            /// The time of the first read with this value.
            var since: Instant
        }

        /// The setting before the change.
        let before: CameraSetting
        /// The value to set, as the driver's value and as a FrameFast value. `isNearest`: whether the camera
        /// offers only this nearest value instead of the requested value.
        let word: String
        let value: CameraSettingValue?
        let isNearest: Bool
        /// The driver's value before the current driver call. A change needs several calls if it has
        /// intermediate values, or if photos interrupt it.
        var now: String
        /// The value that the worker passed to the current driver call, and the time of the call. `nil` until
        /// the worker makes the call.
        var sent: (word: String, at: Instant)?
        /// Whether the worker has asked an EOS to report the sent value.
        var isReportRequested = false
        /// The properties that the camera has reported as changed since the worker sent the value.
        var reported: Set<UInt16> = []
        /// The interruption of the current driver call, or `nil` if the driver completed the call.
        var interruption: Interruption?
        /// Whether a photo may end the change early.
        var endsForPhoto = true
        /// The number of interrupted driver calls.
        var interruptions = 0
    }

    /// The maximum number of tries for a busy camera, and the retry interval. The tries take
    /// 4 s in total, because a camera can be busy for 3 s.
    static let triesMax = 9
    static let retryInterval = Duration.milliseconds(500)
    /// The maximum time that photos delay a step of a change. An endless burst must not delay the change
    /// forever.
    static let photoPriority = Duration.milliseconds(2_000)
    /// The time within which the daemon requests an announced photo. Until then, the worker changes no
    /// setting.
    static let fetchCommandWait = Duration.milliseconds(20)
    /// The time for which the value must stay the same before the worker continues an interrupted change. A
    /// step of an SLT-A58 takes 0.7 s (_put_sony_value in config.c).
    static let settling = Duration.milliseconds(1_000)
    /// The driver's limit for one step of a Sony (_put_sony_value in config.c). Until then, an interrupted
    /// driver call may still change the value, and a second call would change it too far.
    static let stepMax = Duration.milliseconds(4_000)
    /// The time after which the worker continues an interrupted change although the value still changes. The
    /// camera itself changes the shutter speed in modes A and P, for example.
    static let interruptionMax = Duration.milliseconds(10_000)
    /// The number of times that photos may interrupt a change. The limit keeps a burst from delaying the
    /// change forever.
    static let interruptionsMax = 3

    /// The id of the command, or `nil` for a change by an operation.
    let id: UInt64?
    let command: CameraSettingsCommand
    /// The time of the next step.
    var due = Instant.start
    /// The time until which photos have priority.
    var photoPriorityEnd: Instant
    /// The change in progress, or `nil` until its setting is read.
    var attempt: Attempt?
    /// The number of tries of the current change that failed because the camera was busy.
    private var busy = 0
    /// Whether the worker has taken control from the camera's dials for this request.
    var hasControl = false
    private var left: [Int]
    private var results: [CameraSettingResult?]

    init(id: UInt64?, _ command: CameraSettingsCommand, at now: Instant) {
        self.id = id
        self.command = command
        photoPriorityEnd = now + Self.photoPriority
        let keys = CameraSettingKey.allCases
        let places = command.changes.map { change in
            change.key.flatMap { keys.firstIndex(of: $0) } ?? keys.count
        }
        left = command.changes.indices.sorted { (places[$0], $0) < (places[$1], $1) }
        results = Array(repeating: nil, count: command.changes.count)
    }

    /// The current change, or `nil` if all changes are done.
    var change: CameraSettingChange? { left.first.map { command.changes[$0] } }

    /// The name of the setting in an automatic change, or `nil` if a person requested the current change. The
    /// worker records the steps of an automatic change on the disk.
    var automaticName: String? { command.isAutomatic ? change?.name : nil }

    /// The results of all changes, in the order of the request. Complete when all changes are done.
    var allResults: [CameraSettingResult] { results.compactMap(\.self) }

    /// Returns whether an outcome confirms that a person chose this value. The result is `false` for a trial,
    /// which changes no setting, for an automatic change, and for a change by an operation.
    func confirmsChoice(_ outcome: CameraSettingResult.Outcome) -> Bool {
        id != nil && !command.isTrial && !command.isAutomatic && (outcome == .set || outcome == .unchanged)
    }

    /// Postpones the next step if a photo must be fetched first.
    ///
    /// - Parameters:
    ///   - hasShot: Whether the queue contains a shot that must be fetched.
    ///   - shutterDelay: The time until the shutter permits the fetch of a shot.
    ///   - lastAnnouncement: The time of the last announced photo, or `nil` if no photo was announced.
    /// - Returns: Whether the step was postponed.
    mutating func postponeForPhotos(
        hasShot: Bool, shutterDelay: Duration, lastAnnouncement: Instant?, at now: Instant
    ) -> Bool {
        guard now < photoPriorityEnd else { return false }
        if hasShot {
            // The shot may itself wait for the shutter.
            due = min(photoPriorityEnd, now + max(Self.fetchCommandWait, shutterDelay))
            return true
        }
        guard let end = lastAnnouncement.map({ $0 + Self.fetchCommandWait }), now < end else { return false }
        due = end
        return true
    }

    /// Returns the outcome of a change that failed with this error.
    static func outcome(of error: CameraError) -> CameraSettingResult.Outcome {
        switch error.kind {
        case .busy: .busy
        case .unsupported where error.text.contains("read-only"): .readOnly
        case .unsupported, .badParameter: .unsupported
        default: .refused
        }
    }

    /// Schedules the next try of the current change, because the camera was busy.
    ///
    /// - Returns: `false` if all tries are used up.
    mutating func retryBusy(at now: Instant) -> Bool {
        busy += 1
        guard busy < Self.triesMax else { return false }
        due = now + Self.retryInterval
        return true
    }

    /// Records the outcome of the current change. If the mode could not be set, skips the remaining changes.
    mutating func finishChange(
        _ outcome: CameraSettingResult.Outcome, now: CameraSetting? = nil, reason: String? = nil
    ) {
        guard let index = left.first else { return }
        left.removeFirst()
        attempt = nil
        busy = 0
        let change = command.changes[index]
        results[index] = CameraSettingResult(change, outcome, now: now, reason: reason)
        guard change.key == .mode, ![.set, .unchanged, .trial].contains(outcome) else { return }
        for index in left {
            results[index] = CameraSettingResult(
                command.changes[index], .skipped, reason: SettingReasons.skipped)
        }
        left = []
    }
}

extension SettingsWriting.Attempt {
    init(before: CameraSetting, word: String, value: CameraSettingValue?, isNearest: Bool) {
        self.before = before
        self.word = word
        self.value = value
        self.isNearest = isNearest
        now = before.word
    }

    /// Prepares the next driver call of the change.
    ///
    /// A photo does not interrupt the next call if the last call had no effect, or after too many
    /// interruptions.
    ///
    /// - Parameter word: The camera's current value.
    mutating func prepareCall(from word: String) {
        endsForPhoto = word != now && interruptions < SettingsWriting.interruptionsMax
        now = word
        sent = nil
        interruption = nil
    }

    /// Processes the camera's value after an interrupted change. Prepares the next driver call when the
    /// camera has completed its steps, or at the latest after ``SettingsWriting/interruptionMax``.
    ///
    /// - Returns: Whether the next call is prepared.
    mutating func continueChange(from word: String, at time: Instant) -> Bool {
        guard let interruption, let sent else { return false }
        let isLate = time >= sent.at + SettingsWriting.interruptionMax
        guard isLate || interruption.word == word else {
            self.interruption = Interruption(word: word, since: time)
            return false
        }
        let wait = word == now ? SettingsWriting.stepMax : SettingsWriting.settling
        guard isLate || time >= interruption.since + wait else { return false }
        interruptions += 1
        prepareCall(from: word)
        if isLate { endsForPhoto = false }
        return true
    }

    /// Returns whether a value for this setting was sent to the camera.
    func hasSent(_ key: CameraSettingKey?) -> Bool { sent != nil && before.key == key }

    /// Returns whether a setting has the requested value.
    func isReached(_ setting: CameraSetting) -> Bool {
        setting.word == word || (value != nil && setting.value == value)
    }

    /// Returns the outcome of the change, based on the camera's current value.
    func outcome(_ after: CameraSetting) -> (outcome: CameraSettingResult.Outcome, reason: String?) {
        let now = after.value?.text ?? after.word
        // If the request allows the nearest value, the nearest value is treated as the requested value.
        if isReached(after) { return (.set, isNearest ? SettingReasons.nearest : nil) }
        return after.word == before.word
            ? (.ignored, SettingReasons.ignored(now)) : (.adjusted, SettingReasons.adjusted(now))
    }
}

/// A request to read settings, performed one step at a time.
struct SettingsReading {
    let id: UInt64
    var left: [String]
    var found: [CameraSetting] = []
}
