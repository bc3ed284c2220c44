import FrameFastModel
import WorkerProtocol

/// An order to change settings that is being carried out, one request at a time: photos and releases go on between.
struct SettingsWriting {
    /// A change that is under way.
    struct Attempt {
        /// The setting as it was.
        let before: CameraSetting
        /// The driver's word that it is to have, its value, and whether that is only the nearest.
        let word: String
        let value: CameraSettingValue?
        let isNearest: Bool
        /// The driver's word for it by the last reading.
        var now: String
        /// What was sent to the camera last, and when; `nil` before that.
        var sent: (word: String, atMs: UInt64)?
        /// Whether an EOS was asked since.
        var isAsked = false
        /// Properties of which the camera told since.
        var told: Set<UInt16> = []
    }

    /// The tries of a write to a busy camera, and the time between two in milliseconds: 4 s in all, so that a camera which is
    /// busy for 3 s takes it.
    static let triesMax = 9
    static let againMs: UInt64 = 500
    /// Photos go first for so long at most, in milliseconds: a burst without end must not keep a change waiting for ever.
    static let patienceMs: UInt64 = 2_000

    /// The command that is to be answered; `nil` for what an operation wants.
    let id: UInt64?
    let order: CameraSettingsOrder
    /// Not before this time.
    var dueMs: UInt64 = 0
    /// Until when photos go first.
    var patienceEndMs: UInt64
    /// The change that is under way; `nil` before its setting has been read.
    var attempt: Attempt?
    /// How often the camera was busy with the change whose turn it is.
    var busy = 0
    /// Whether the computer has taken the command for it.
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

    /// The change whose turn it is; `nil` when all is done.
    var change: CameraSettingChange? { left.first.map { order.changes[$0] } }

    /// What became of each change, in their order, once all is done.
    var all: [CameraSettingResult] { results.compactMap(\.self) }

    /// Whether a change that ends so tells what a person wants the setting to be. A trial only asks, and an operation has
    /// values of its own.
    func isWanted(_ outcome: CameraSettingResult.Outcome) -> Bool {
        id != nil && !order.isTrial && (outcome == .set || outcome == .unchanged)
    }

    /// The change whose turn it is has ended. After a mode that is not set nothing else is tried.
    mutating func end(
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

    /// Whether a value of this setting was sent to the camera.
    func hasSent(_ key: CameraSettingKey?) -> Bool { sent != nil && before.key == key }

    /// Whether a setting is as it was to be.
    func isReached(_ setting: CameraSetting) -> Bool {
        setting.word == word || (value != nil && setting.value == value)
    }

    /// How the change ended, by what the camera has now.
    func outcome(_ after: CameraSetting) -> (outcome: CameraSettingResult.Outcome, reason: String?) {
        let now = after.value?.text ?? after.word
        // The nearest value is sent only if it was asked for: then it is what was asked for.
        if isReached(after) { return (.set, isNearest ? SettingReasons.nearest : nil) }
        return after.word == before.word
            ? (.ignored, SettingReasons.ignored(now)) : (.adjusted, SettingReasons.adjusted(now))
    }
}

/// An order to read settings, carried out in the same way.
struct SettingsReading {
    let id: UInt64
    var left: [String]
    var found: [CameraSetting] = []
}
