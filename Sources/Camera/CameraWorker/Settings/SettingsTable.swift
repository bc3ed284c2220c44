import FrameFastModel
import GPhoto2

/// The settings of an open camera: what the driver calls them, what was read last, and which are to be read again.
struct SettingsTable {
    /// Changes within this time are told of together, in milliseconds.
    static let gatheringMs: UInt64 = 100
    /// Nothing is read for so long after a photo was announced, in milliseconds: others may follow.
    static let quietMs: UInt64 = 300
    /// A burst keeps it from being read for so long at most, in milliseconds.
    static let patienceMs: UInt64 = 10_000
    /// What is read anew where the camera never tells of changes: what decides on the exposure.
    static let exposure: Set<CameraSettingKey> = [.mode, .iso, .aperture, .shutter, .exposureCompensation]

    /// The driver's name of each key that the camera has.
    let names: [CameraSettingKey: String]
    /// Every name that the driver has for this camera.
    let known: Set<String>
    /// What was read last.
    private(set) var settings: [CameraSettingKey: CameraSetting] = [:]
    private let habits: CameraHabits
    private let codes: [UInt16: CameraSettingKey]
    private var stale: Set<CameraSettingKey> = []
    private var news: Set<CameraSettingKey> = []
    /// The sources of the unpublished values.
    private var sources: Set<SettingSource> = []
    /// A change within this time after a request counts as its effect, in milliseconds: the longest that a camera was seen to
    /// take before it shows a value, or chooses another one because of it.
    private static let effectMs: UInt64 = 3_000
    /// The end of that time, by the settings that a request has changed or that depend on them.
    private var effectEndMs: [CameraSettingKey: UInt64] = [:]
    private var dueMs: UInt64 = 0
    private var staleMs: UInt64 = 0

    /// - Parameter known: every name that the driver has for the camera.
    init(_ habits: CameraHabits, known: [String]) {
        self.habits = habits
        let known = Set(known)
        self.known = known
        let all = habits.settings ?? [:]
        names = all.compactMapValues { habit in habit.names.first { known.contains($0) } }
        codes = Dictionary(
            all.flatMap { key, habit in (habit.codes ?? []).map { ($0.value, key) } },
            uniquingKeysWith: { first, _ in first }
        ).filter { [names] in names[$0.value] != nil }
    }

    /// How the driver calls a setting, and its words for it; `nil` for one that only the driver has a name for.
    func habit(of key: CameraSettingKey?) -> SettingHabit? { key.flatMap { habits.settings?[$0] } }

    /// Numbers of the properties by which the camera tells of a setting.
    func codes(of key: CameraSettingKey?) -> Set<UInt16> {
        Set((habit(of: key)?.codes ?? []).map(\.value))
    }

    /// The number of the property that stands for a setting.
    func code(of setting: CameraSetting) -> UInt16? {
        guard let habit = habit(of: setting.key), let codes = habit.codes, !codes.isEmpty else {
            return UInt16(setting.name, radix: 16)
        }
        return codes[min(habit.names.firstIndex(of: setting.name) ?? 0, codes.count - 1)].value
    }

    /// Whether the mode is to be read before another setting, because it decides on that one.
    func needsMode(for key: CameraSettingKey?) -> Bool {
        habit(of: key)?.onlyInModes != nil && (settings[.mode] == nil || stale.contains(.mode))
    }

    /// Numbers of all properties by which it tells of settings that are shown.
    var allCodes: Set<UInt16> { Set(codes.keys) }

    /// The mode that the camera is in, in our words; `nil` when it is not known.
    var mode: String? { settings[.mode]?.value?.text }

    // MARK: Reading

    /// A setting in our spelling.
    ///
    /// - Parameter entry: what the driver says.
    func setting(_ key: CameraSettingKey?, _ entry: ConfigEntry) -> CameraSetting {
        let habit = habit(of: key)
        func value(_ word: String) -> CameraSettingValue? {
            key.flatMap { habit?.value(of: word, for: $0) }
        }
        return CameraSetting(
            key: key, name: entry.name, value: value(entry.value), word: entry.value,
            choices: entry.choices.map { CameraSetting.Choice(value: value($0), word: $0) },
            range: entry.range.map {
                CameraSetting.Range(least: Double($0.least), most: Double($0.most), step: Double($0.step))
            }, writable: writable(habit, isReadOnly: entry.isReadOnly))
    }

    private func writable(_ habit: SettingHabit?, isReadOnly: Bool) -> CameraSetting.Writable {
        if isReadOnly { return .no }
        if let modes = habit?.onlyInModes { return mode.map { modes.contains($0) ? .yes : .no } ?? .unknown }
        return habits.hidesReadOnly == true ? .unknown : .yes
    }

    // MARK: Changes

    /// The camera told that properties changed.
    mutating func changed(_ properties: Set<UInt16>, nowMs: UInt64) {
        read(again: Set(properties.compactMap { codes[$0] }), nowMs: nowMs)
    }

    /// Settings are to be read again, as soon as there is nothing better to do.
    mutating func read(again keys: Set<CameraSettingKey>, nowMs: UInt64) {
        let keys = keys.filter { names[$0] != nil }
        guard !keys.isEmpty else { return }
        if stale.isEmpty { staleMs = nowMs }
        dueMs = stale.isEmpty ? nowMs + Self.gatheringMs : max(dueMs, nowMs)
        stale.formUnion(keys)
    }

    /// Whether a setting must be read again.
    var isStale: Bool { !stale.isEmpty }

    /// Milliseconds until something must be read or published; `nil` for never.
    ///
    /// - Parameter announcedMs: when a photo was announced last.
    func delay(nowMs: UInt64, announcedMs: UInt64 = 0) -> UInt64? {
        // Not every camera sends an event for a value that a request has set or read.
        guard !stale.isEmpty else { return news.isEmpty ? nil : 0 }
        let quiet = announcedMs == 0 ? 0 : min(announcedMs + Self.quietMs, staleMs + Self.patienceMs)
        let due = max(dueMs, quiet)
        return due - min(due, nowMs)
    }

    /// The next one that is to be read, by our order: what the others depend on comes first.
    mutating func next() -> CameraSettingKey? {
        let next = CameraSettingKey.allCases.first { stale.contains($0) }
        if let next { stale.remove(next) }
        return next
    }

    /// Takes over what was read.
    ///
    /// - Parameters:
    ///   - settlesMs: how long after another mode the driver may still answer for the one before.
    ///   - isOfRequest: Whether a request changes the setting now.
    mutating func note(
        _ setting: CameraSetting, nowMs: UInt64, settlesMs: UInt64, isOfRequest: Bool = false
    ) {
        guard let key = setting.key else { return }
        stale.remove(key)
        guard settings[key] != setting else { return }
        let isOtherMode = key == .mode && settings[key] != nil && settings[key]?.word != setting.word
        if let word = settings[key]?.word, word != setting.word {
            let isEffect = effectEndMs.removeValue(forKey: key).map { nowMs < $0 } ?? false
            sources.insert(isOfRequest || isEffect ? .request : .camera)
        }
        settings[key] = setting
        news.insert(key)
        // A mode decides on what can be changed, and to what.
        if isOtherMode { read(again: Self.exposure.subtracting([.mode]), nowMs: nowMs + settlesMs) }
    }

    /// Records that a value was sent to the camera. The exposure settings depend on each other.
    ///
    /// - Parameter readsAgain: Whether the setting is read again for its new value.
    mutating func sent(_ key: CameraSettingKey, nowMs: UInt64, readsAgain: Bool = false) {
        let dependents = Self.exposure.contains(key) ? Self.exposure : []
        for one in dependents.union([key]) { effectEndMs[one] = nowMs + Self.effectMs }
        if readsAgain { read(again: [key], nowMs: nowMs) }
    }

    /// Records that a request is complete: a later change of the setting has another source.
    mutating func completed(_ key: CameraSettingKey) { effectEndMs[key] = nil }

    /// The key that the driver's name stands for.
    func key(of name: String) -> CameraSettingKey? { names.first { $0.value == name }?.key }

    /// The unpublished values, once no setting must be read again.
    ///
    /// - Parameter isAtOnce: Whether they are published before the other settings are read.
    /// - Returns: `source` is `camera` if the camera changed one of the values, and `nil` if no value changed.
    mutating func takeNews(isAtOnce: Bool = false) -> (settings: [CameraSetting], source: SettingSource?) {
        guard stale.isEmpty || isAtOnce else { return ([], nil) }
        defer { (news, sources) = ([], []) }
        return (
            CameraSettingKey.allCases.compactMap { news.contains($0) ? settings[$0] : nil },
            sources.contains(.camera) ? .camera : sources.first
        )
    }
}
