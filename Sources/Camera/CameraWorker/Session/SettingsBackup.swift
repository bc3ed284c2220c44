import FoundationEssentials
import Glibc

/// A backup of the camera's own settings, saved in the worker's home before the worker changes them. Settings
/// that were not restored because of a crash are restored by the next connection with the same camera.
struct SettingsBackup {
    /// The maximum number of saved cameras.
    private static let camerasMax = 64

    private let path: String
    /// The camera's identity: maker, model and serial number.
    let camera: String
    private var all: [String: [String: String]]
    /// The number of earlier processes that died in each attempt, by the saved name.
    private var deaths: [String: Int]
    /// The number of processes that may die in an attempt before the worker gives it up. A single one may
    /// have been killed for another reason: with the service, by a pulled cable, or because the camera was
    /// silent too long.
    private static let deathsMax = 2

    /// Loads the backup of a camera.
    ///
    /// - Parameters:
    ///   - camera: The camera's identity: maker, model and serial number.
    ///   - folder: The folder of the file.
    init(camera: String, folder: String = WorkerOptions.home) {
        self.camera = camera
        path = folder + "/camera-settings.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: [String: String]].self, from: $0) } ?? [:]
        deaths = (all[camera] ?? [:]).filter { Purpose.split($0.key).purpose == .attempt }
            .mapValues { Int($0) ?? 1 }
    }

    /// The reason for a changed setting.
    enum Purpose: String, CaseIterable {
        /// The whole connection.
        case session = ""
        /// Live view, by the driver.
        case liveView = "live view: "
        /// An operation: a bulb's shutter speed, a bracket's exposure.
        case operation = "operation: "
        /// An attempt to restore a value. The name consists of the purpose and name of the setting. The value
        /// is the number of the attempt. The process that saved it died in the attempt, as did those of the
        /// numbers before.
        case attempt = "attempt: "

        /// Splits a saved name into its purpose and the name of the setting.
        static func split(_ name: String) -> (purpose: Purpose, setting: String) {
            let purpose = allCases.first { $0 != .session && name.hasPrefix($0.rawValue) } ?? .session
            return (purpose, String(name.dropFirst(purpose.rawValue.count)))
        }
    }

    /// The camera's own value of a setting, or `nil` if the setting was not changed.
    subscript(setting: String, for purpose: Purpose = .session) -> String? {
        all[camera]?[purpose.rawValue + setting]
    }

    /// Returns the camera's own values of the changed settings.
    func changed(for purpose: Purpose = .session) -> [String: String] {
        var settings: [String: String] = [:]
        for (name, value) in all[camera] ?? [:] {
            let (noted, setting) = Purpose.split(name)
            if noted == purpose { settings[setting] = value }
        }
        return settings
    }

    /// Saves a value on the disk before the worker changes it.
    mutating func save(_ setting: String, _ value: String, for purpose: Purpose = .session) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera, default: [:]][purpose.rawValue + setting] = value
        // Another value has its own count of attempts.
        removeAttempt(setting, purpose)
        save()
    }

    /// Deletes the backup of a setting that has been restored.
    mutating func remove(_ setting: String, for purpose: Purpose = .session) {
        let hadValue = all[camera]?.removeValue(forKey: purpose.rawValue + setting) != nil
        // A setting that only switches control between dials and worker has no saved value, but its attempts
        // are counted.
        guard hadValue || all[camera]?[Self.attempt(setting, purpose)] != nil else { return }
        removeAttempt(setting, purpose)
        if all[camera]?.isEmpty == true { all[camera] = nil }
        save()
    }

    // MARK: Attempts to restore

    /// Saves on the disk that an attempt to restore a value is about to start. Otherwise a driver that
    /// crashes in it would crash at each connection.
    ///
    /// - Returns: `false` if two earlier processes died in this attempt. The worker then does not restore the
    ///   value.
    mutating func beginAttempt(_ setting: String, for purpose: Purpose) -> Bool {
        guard !isGivenUp(setting, for: purpose) else { return false }
        let attempt = Self.attempt(setting, purpose)
        all[camera, default: [:]][attempt] = String((deaths[attempt] ?? 0) + 1)
        save()
        return true
    }

    /// Records that the driver survived the attempt, whether it succeeded or not.
    mutating func endAttempt(_ setting: String, for purpose: Purpose) {
        removeAttempt(setting, purpose)
        save()
    }

    /// Returns whether the worker has given up the setting because earlier processes died while restoring it.
    func isGivenUp(_ setting: String, for purpose: Purpose) -> Bool {
        deaths[Self.attempt(setting, purpose), default: 0] >= Self.deathsMax
    }

    /// The settings that the worker has given up.
    var givenUp: [(purpose: Purpose, setting: String)] {
        deaths.filter { $0.value >= Self.deathsMax }.keys.sorted()
            .map { Purpose.split(Purpose.split($0).setting) }
    }

    private mutating func removeAttempt(_ setting: String, _ purpose: Purpose) {
        all[camera]?[Self.attempt(setting, purpose)] = nil
        deaths[Self.attempt(setting, purpose)] = nil
    }

    private static func attempt(_ setting: String, _ purpose: Purpose) -> String {
        Purpose.attempt.rawValue + purpose.rawValue + setting
    }

    private func save() {
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot save the camera's settings: \(error)")
        }
    }
}
