public import FrameFastModel

/// The settings of a scripted camera. The camera accepts the offered values, except for settings with a
/// refusal.
public struct ScriptedSettings: Sendable {
    /// The current settings.
    public var settings: [CameraSetting]
    /// The outcomes of changes that must fail, by the name of the setting.
    public var refusals: [String: CameraSettingResult.Outcome] = [:]
    /// The received commands.
    public private(set) var commands: [CameraSettingsCommand] = []
    /// The last published settings.
    private var published: [CameraSettingKey: CameraSetting] = [:]

    /// Creates settings.
    public init(_ settings: [CameraSetting] = []) { self.settings = settings }

    /// Returns a setting with choices in FrameFast's notation. The driver's text for each value is the same
    /// with an asterisk at the end.
    public static func setting(
        _ key: CameraSettingKey, _ value: String, of choices: [String] = [],
        writable: CameraSetting.Writable = .yes
    ) -> CameraSetting {
        CameraSetting(
            key: key, name: "x-" + key.rawValue, value: CameraSettingValue(value, for: key),
            word: value + "*",
            choices: choices.map { .init(value: CameraSettingValue($0, for: key), word: $0 + "*") },
            writable: writable)
    }

    /// Returns the settings with these names, or all settings with a key if `names` is empty.
    func read(_ names: [String]) -> [CameraSetting] {
        guard !names.isEmpty else { return settings.filter { $0.key != nil } }
        return names.compactMap { name in index(of: name).map { settings[$0] } }
    }

    /// Returns the settings with a key that have changed since they were last published.
    mutating func takeUnpublished(_ settings: [CameraSetting]) -> [CameraSetting] {
        settings.filter { setting in
            guard let key = setting.key, published[key] != setting else { return false }
            published[key] = setting
            return true
        }
    }

    /// Performs a command and returns its results.
    mutating func change(_ command: CameraSettingsCommand) -> [CameraSettingResult] {
        commands.append(command)
        var results: [CameraSettingResult] = []
        for change in command.changes { results.append(self.change(change, command)) }
        return results
    }

    private mutating func change(
        _ change: CameraSettingChange, _ command: CameraSettingsCommand
    ) -> CameraSettingResult {
        guard let index = index(of: change.name) else {
            return CameraSettingResult(change, .unsupported, reason: "the camera has no such setting")
        }
        let setting = settings[index]
        if let refusal = refusals[change.name] {
            return CameraSettingResult(change, refusal, now: setting, reason: "the camera said no")
        }
        guard let key = setting.key, let requested = CameraSettingValue(change.value, for: key) else {
            settings[index].word = change.value
            return CameraSettingResult(change, .set, now: settings[index])
        }
        if requested == setting.value { return CameraSettingResult(change, .unchanged, now: setting) }
        let offered = setting.choices.compactMap(\.value)
        let taken =
            offered.contains(requested)
            ? requested : command.takesNearest ? requested.nearest(of: key, among: offered) : nil
        guard let taken else {
            return CameraSettingResult(
                change, .unsupported, now: setting, reason: "the camera does not offer it")
        }
        guard !command.isTrial else { return CameraSettingResult(change, .trial, now: setting) }
        (settings[index].value, settings[index].word) = (taken, taken.text + "*")
        return CameraSettingResult(
            change, .set, now: settings[index],
            reason: taken == requested ? nil : "This is the nearest value that the camera offers.")
    }

    private func index(of name: String) -> Int? {
        settings.firstIndex { $0.key?.rawValue == name } ?? settings.firstIndex { $0.name == name }
    }
}
