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

    /// Milliseconds until something is to be read; `nil` for never.
    ///
    /// - Parameter announcedMs: when a photo was announced last.
    func delay(nowMs: UInt64, announcedMs: UInt64 = 0) -> UInt64? {
        guard !stale.isEmpty else { return nil }
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
    /// - Parameter settlesMs: how long after another mode the driver may still answer for the one before.
    mutating func note(_ setting: CameraSetting, nowMs: UInt64, settlesMs: UInt64) {
        guard let key = setting.key else { return }
        stale.remove(key)
        guard settings[key] != setting else { return }
        let isOtherMode = key == .mode && settings[key] != nil && settings[key]?.word != setting.word
        settings[key] = setting
        news.insert(key)
        // A mode decides on what can be changed, and to what.
        if isOtherMode { read(again: Self.exposure.subtracting([.mode]), nowMs: nowMs + settlesMs) }
    }

    /// Settings with values that were not told yet, once nothing more is to be read.
    mutating func takeNews() -> [CameraSetting] {
        guard stale.isEmpty else { return [] }
        defer { news = [] }
        return CameraSettingKey.allCases.compactMap { news.contains($0) ? settings[$0] : nil }
    }
}
