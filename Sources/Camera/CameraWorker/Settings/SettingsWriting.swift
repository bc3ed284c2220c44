import FrameFastModel
import WorkerProtocol

/// A request to change settings, executed one step at a time. The worker serves photos and releases between
/// the steps.
struct SettingsWriting {
    /// A change in progress.
    struct Attempt {
        /// The setting before the change.
        let before: CameraSetting
        /// The driver's word to set, its value, and whether it is only the nearest value.
        let word: String
        let value: CameraSettingValue?
        let isNearest: Bool
        /// The driver's word at the last reading.
        var now: String
        /// The word that was last sent to the camera, and its time in milliseconds of the monotonic clock, or
        /// `nil` if none was sent.
        var sent: (word: String, atMs: UInt64)?
        /// Whether the worker has asked an EOS for the value since then.
        var isAsked = false
        /// The properties that the camera has reported as changed since then.
        var reported: Set<UInt16> = []
    }

    /// The maximum number of tries for a busy camera, and the time between two tries in milliseconds. They
    /// take 4 s in all, so that the change succeeds on a camera that is busy for 3 s.
    static let triesMax = 9
    static let againMs: UInt64 = 500
    /// The longest time for which photos delay a change, in milliseconds. An endless burst must not delay it
    /// forever.
    static let patienceMs: UInt64 = 2_000

    /// The id of the command to answer, or `nil` for the change of an operation.
    let id: UInt64?
    let order: CameraSettingsOrder
    /// The time of the next step, in milliseconds of the monotonic clock.
    var dueMs: UInt64 = 0
    /// The end of the priority of photos, in milliseconds of the monotonic clock.
    var patienceEndMs: UInt64
    /// The change in progress, or `nil` before its setting has been read.
    var attempt: Attempt?
    /// The number of tries of the current change that failed because the camera was busy.
    var busy = 0
    /// Whether the worker has taken control from the camera's dials for it.
    var hasCommand = false
    private var left: [Int]
    private var results: [CameraSettingResult?]

    init(id: UInt64?, _ order: CameraSettingsOrder, nowMs: UInt64) {
        self.id = id
        self.order = order
        patienceEndMs = nowMs + Self.patienceMs
        let keys = CameraSettingKey.allCases
        let places = order.changes.map { change in
            change.key.flatMap { keys.firstIndex(of: $0) } ?? keys.count
        }
        left = order.changes.indices.sorted { (places[$0], $0) < (places[$1], $1) }
        results = Array(repeating: nil, count: order.changes.count)
    }

    /// The current change, or `nil` if all changes are done.
    var change: CameraSettingChange? { left.first.map { order.changes[$0] } }

    /// The results of the changes, in the order of the request, when all changes are done.
    var allResults: [CameraSettingResult] { results.compactMap(\.self) }

    /// Returns whether an outcome means that a person chose this value. A trial does not change the setting,
    /// and an operation has its own values.
    func isWanted(_ outcome: CameraSettingResult.Outcome) -> Bool {
        id != nil && !order.isTrial && (outcome == .set || outcome == .unchanged)
    }

    /// Records the outcome of the current change. If the mode could not be set, skips the remaining changes.
    mutating func finishChange(
        _ outcome: CameraSettingResult.Outcome, now: CameraSetting? = nil, reason: String? = nil
    ) {
        guard let index = left.first else { return }
        left.removeFirst()
        attempt = nil
        busy = 0
        let change = order.changes[index]
        results[index] = CameraSettingResult(change, outcome, now: now, reason: reason)
        guard change.key == .mode, ![.set, .unchanged, .trial].contains(outcome) else { return }
        for index in left {
            results[index] = CameraSettingResult(
                order.changes[index], .skipped, reason: SettingReasons.skipped)
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

    /// Returns whether a value of this setting was sent to the camera.
    func hasSent(_ key: CameraSettingKey?) -> Bool { sent != nil && before.key == key }

    /// Returns whether a setting has the requested value.
    func isReached(_ setting: CameraSetting) -> Bool {
        setting.word == word || (value != nil && setting.value == value)
    }

    /// Returns the outcome of the change from the camera's current value.
    func outcome(_ after: CameraSetting) -> (outcome: CameraSettingResult.Outcome, reason: String?) {
        let now = after.value?.text ?? after.word
        // The nearest value is sent only if the request allows it. Then it counts as the requested value.
        if isReached(after) { return (.set, isNearest ? SettingReasons.nearest : nil) }
        return after.word == before.word
            ? (.ignored, SettingReasons.ignored(now)) : (.adjusted, SettingReasons.adjusted(now))
    }
}

/// A request to read settings, executed one step at a time.
struct SettingsReading {
    let id: UInt64
    var left: [String]
    var found: [CameraSetting] = []
}
