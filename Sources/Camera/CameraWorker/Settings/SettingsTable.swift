import FrameFastModel
import GPhoto2

/// The settings of an open camera: the driver's names, the last values, and the settings that must be read
/// again.
struct SettingsTable {
    /// The time during which changes are collected and published together.
    static let gathering = Duration.milliseconds(100)
    /// The time after an announced photo during which no setting is read. More photos may
    /// follow.
    static let quiet = Duration.milliseconds(300)
    /// The maximum time that a burst delays the reading of settings.
    static let delayMax = Duration.milliseconds(10_000)
    /// The settings that determine the exposure. If the camera does not report changes, the worker reads
    /// these settings at each `refresh`.
    static let exposure: Set<CameraSettingKey> = [.mode, .iso, .aperture, .shutter, .exposureCompensation]

    /// The driver's setting name for each key that the camera supports.
    let names: [CameraSettingKey: String]
    /// All of the driver's setting names for this camera.
    let known: Set<String>
    /// The last values.
    private(set) var settings: [CameraSettingKey: CameraSetting] = [:]
    /// The end of the time after the last mode change during which the driver may still return values of the
    /// old mode.
    private(set) var settlingEnd = Instant.start
    private let profile: CameraProfile
    private let codes: [UInt16: CameraSettingKey]
    private var stale: Set<CameraSettingKey> = []
    private var unpublished: Set<CameraSettingKey> = []
    /// The sources of the unpublished values.
    private var sources: Set<SettingSource> = []
    /// The time after a request during which a change counts as the effect of the request. No observed camera
    /// took longer to report the new value or to adjust a dependent value.
    private static let effect = Duration.milliseconds(3_000)
    /// The end of ``effect`` for each setting that a request has changed, and for its dependent settings.
    private var effectEnd: [CameraSettingKey: Instant] = [:]
    /// The time at which the stale settings may be read.
    private var readingDue = Instant.start
    private var staleSince = Instant.start

    /// Creates a table.
    ///
    /// - Parameter known: All of the driver's setting names for the camera.
    init(_ profile: CameraProfile, known: [String]) {
        self.profile = profile
        let known = Set(known)
        self.known = known
        let all = profile.settings ?? [:]
        names = all.compactMapValues { setting in setting.names.first { known.contains($0) } }
        codes = Dictionary(
            all.flatMap { key, setting in (setting.codes ?? []).map { ($0.value, key) } },
            uniquingKeysWith: { first, _ in first }
        ).filter { [names] in names[$0.value] != nil }
    }

    /// Returns the driver's names and values for a setting, or `nil` for a setting without a key.
    func settingProfile(of key: CameraSettingKey?) -> SettingProfile? {
        key.flatMap { profile.settings?[$0] }
    }

    /// Returns the codes of the properties that report a setting.
    func codes(of key: CameraSettingKey?) -> Set<UInt16> {
        Set((settingProfile(of: key)?.codes ?? []).map(\.value))
    }

    /// Returns the property code of a setting, or `nil` if it is unknown.
    func code(of setting: CameraSetting) -> UInt16? {
        guard let profile = settingProfile(of: setting.key), let codes = profile.codes, !codes.isEmpty else {
            return UInt16(setting.name, radix: 16)
        }
        return codes[min(profile.names.firstIndex(of: setting.name) ?? 0, codes.count - 1)].value
    }

    /// Returns whether the mode must be read before this setting: the setting depends on the mode, and the
    /// mode is unknown or outdated.
    func needsMode(for key: CameraSettingKey?) -> Bool {
        settingProfile(of: key)?.onlyInModes != nil && (settings[.mode] == nil || stale.contains(.mode))
    }

    /// The codes of all properties that report settings.
    var allCodes: Set<UInt16> { Set(codes.keys) }

    /// The camera's mode as a FrameFast value, or `nil` if unknown.
    var mode: String? { settings[.mode]?.value?.text }

    // MARK: Reading

    /// Converts the driver's description of a setting to a `CameraSetting`.
    ///
    /// - Parameter entry: The driver's description.
    func setting(_ key: CameraSettingKey?, _ entry: ConfigEntry) -> CameraSetting {
        let profile = settingProfile(of: key)
        func value(_ word: String) -> CameraSettingValue? {
            key.flatMap { profile?.value(of: word, for: $0) }
        }
        return CameraSetting(
            key: key, name: entry.name, value: value(entry.value), word: entry.value,
            choices: entry.choices.map { CameraSetting.Choice(value: value($0), word: $0) },
            range: entry.range.map {
                CameraSetting.Range(least: Double($0.least), most: Double($0.most), step: Double($0.step))
            }, writable: writable(profile, isReadOnly: entry.isReadOnly))
    }

    private func writable(_ setting: SettingProfile?, isReadOnly: Bool) -> CameraSetting.Writable {
        if isReadOnly { return .no }
        if let modes = setting?.onlyInModes {
            return mode.map { modes.contains($0) ? .yes : .no } ?? .unknown
        }
        return profile.hidesReadOnly == true ? .unknown : .yes
    }

    // MARK: Changes

    /// Schedules the affected settings for reading after the camera reported changed properties.
    mutating func markStale(_ properties: Set<UInt16>, at now: Instant) {
        scheduleReading(of: Set(properties.compactMap { codes[$0] }), at: now)
    }

    /// Schedules settings for reading. The worker reads them when it is idle.
    mutating func scheduleReading(of keys: Set<CameraSettingKey>, at now: Instant) {
        let keys = keys.filter { names[$0] != nil }
        guard !keys.isEmpty else { return }
        if stale.isEmpty { staleSince = now }
        readingDue = stale.isEmpty ? now + Self.gathering : max(readingDue, now)
        stale.formUnion(keys)
    }

    /// Whether any setting must be read again.
    var isStale: Bool { !stale.isEmpty }

    /// Returns the time at which a setting must be read or published, or `nil` if no setting is scheduled.
    ///
    /// - Parameter lastAnnouncement: The time of the last announced photo, or `nil` before the first photo.
    func due(lastAnnouncement: Instant? = nil) -> Instant? {
        // Publishes values immediately if no setting must be read. Some cameras send no event for a value
        // that a request set or read.
        guard !stale.isEmpty else { return unpublished.isEmpty ? nil : .start }
        let quietEnd = lastAnnouncement.map { min($0 + Self.quiet, staleSince + Self.delayMax) }
        return max(readingDue, quietEnd ?? .start)
    }

    /// Removes and returns the next setting to read. A setting is read before the settings that depend on it.
    mutating func next() -> CameraSettingKey? {
        let next = CameraSettingKey.allCases.first { stale.contains($0) }
        if let next { stale.remove(next) }
        return next
    }

    /// Records a setting that was read.
    ///
    /// - Parameters:
    ///   - settling: The time after a mode change during which the driver may still return values of the old
    ///     mode.
    ///   - isOfRequest: Whether a running request changes the setting.
    mutating func record(
        _ setting: CameraSetting, at now: Instant, settling: Duration, isOfRequest: Bool = false
    ) {
        guard let key = setting.key else { return }
        stale.remove(key)
        guard settings[key] != setting else { return }
        let isOtherMode = key == .mode && settings[key] != nil && settings[key]?.word != setting.word
        if let word = settings[key]?.word, word != setting.word {
            let isEffect = effectEnd.removeValue(forKey: key).map { now < $0 } ?? false
            sources.insert(isOfRequest || isEffect ? .request : .camera)
        }
        settings[key] = setting
        unpublished.insert(key)
        // The mode determines which settings are writable and which values they have.
        guard isOtherMode else { return }
        settlingEnd = now + settling
        scheduleReading(of: Self.exposure.subtracting([.mode]), at: settlingEnd)
    }

    /// Records that a value was sent to the camera. A new value of one exposure setting may also change the
    /// other exposure settings.
    ///
    /// - Parameter readsAgain: Whether to read the setting again to get its new value.
    mutating func recordSent(_ key: CameraSettingKey, at now: Instant, readsAgain: Bool = false) {
        let dependents = Self.exposure.contains(key) ? Self.exposure : []
        for dependent in dependents.union([key]) { effectEnd[dependent] = now + Self.effect }
        if readsAgain { scheduleReading(of: [key], at: now) }
    }

    /// Records that a request is complete. Later changes of the setting do not count as its effect.
    mutating func recordCompleted(_ key: CameraSettingKey) { effectEnd[key] = nil }

    /// Returns the key of the driver's setting name.
    func key(of name: String) -> CameraSettingKey? { names.first { $0.value == name }?.key }

    /// Removes and returns the unpublished values. Returns no values while a setting must still be read.
    ///
    /// - Parameter isAtOnce: Whether to return the values even if other settings must still be read.
    /// - Returns: The values and their source. The source is `camera` if the camera changed any of them, and
    ///   `nil` if no value changed.
    mutating func takeUnpublished(isAtOnce: Bool = false) -> (
        settings: [CameraSetting], source: SettingSource?
    ) {
        guard stale.isEmpty || isAtOnce else { return ([], nil) }
        defer { (unpublished, sources) = ([], []) }
        return (
            CameraSettingKey.allCases.compactMap { unpublished.contains($0) ? settings[$0] : nil },
            sources.contains(.camera) ? .camera : sources.first
        )
    }
}
