import FoundationEssentials
import Glibc

/// A backup of the camera's original settings. The worker saves each value in its home folder before it
/// changes the setting. After a crash, the next connection to the same camera restores the values.
struct SettingsBackup {
    /// The maximum number of saved cameras. The backup of a further camera replaces the backup with the
    /// fewest entries.
    private static let camerasMax = 64

    private let path: String
    /// The camera's identity: maker, model and serial number.
    let camera: String
    private var all: [String: [String: String]]
    /// The number of earlier processes that died while restoring a value, by the saved name of the attempt.
    private var deaths: [String: Int] = [:]
    /// The number of deaths after which the worker stops trying to restore a value. A single death may have
    /// another cause: the service was killed, the cable was unplugged, or the camera did not respond in time.
    /// After a single crash of the driver, no worker tries the value again.
    private static let deathsMax = 2
    /// The id of this process, which identifies its attempts.
    private let process: Int32

    /// Loads the backup of a camera.
    ///
    /// - Parameters:
    ///   - camera: The camera's identity: maker, model and serial number.
    ///   - folder: The folder of the file.
    ///   - process: The id of this process.
    ///   - crashed: The ids of earlier processes in which the driver crashed. The worker does not repeat
    ///     their attempts.
    init(
        camera: String, folder: String = WorkerOptions.home, process: Int32 = getpid(),
        crashed: [Int32] = []
    ) {
        self.camera = camera
        self.process = process
        path = folder + "/camera-settings.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: [String: String]].self, from: $0) } ?? [:]
        var hasCrashed = false
        for (name, text) in all[camera] ?? [:] where Purpose.split(name).purpose == .attempt {
            let numbers = text.split(separator: " ").map { Int32($0) }
            if numbers.count == 2, crashed.contains(where: { $0 == numbers[1] }) {
                deaths[name] = Self.deathsMax
                // Saves the result, so later processes do not need the ids of crashed processes.
                all[camera]?[name] = String(Self.deathsMax)
                hasCrashed = true
            } else {
                deaths[name] = Int(numbers.first.flatMap { $0 } ?? 1)
            }
        }
        if hasCrashed { save() }
    }

    /// The kind of a saved entry.
    enum Purpose: String, CaseIterable {
        /// The original value of a setting that was changed for the whole connection.
        case session = ""
        /// The original value of a setting that the driver changed for live view.
        case liveView = "live view: "
        /// The original value of a setting that was changed for an operation, for example the shutter speed
        /// of a bulb exposure.
        case operation = "operation: "
        /// A change that the service requests on its own when the camera connects, or a change of the
        /// camera's clock. Only the attempts at such a change are saved.
        case automatic = "automatic: "
        /// An attempt to restore a value. The saved name consists of the purpose and name of the setting. The
        /// saved value is the number of the attempt and the id of the process, for example `1 4711`. If the
        /// entry still exists in the next process, each of the counted attempts ended with the death of its
        /// process.
        case attempt = "attempt: "

        /// Splits a saved name into its purpose and the name of the setting.
        static func split(_ name: String) -> (purpose: Purpose, setting: String) {
            let purpose = allCases.first { $0 != .session && name.hasPrefix($0.rawValue) } ?? .session
            return (purpose, String(name.dropFirst(purpose.rawValue.count)))
        }
    }

    /// The camera's original value of a setting, or `nil` if the setting was not changed.
    subscript(setting: String, for purpose: Purpose = .session) -> String? {
        all[camera]?[purpose.rawValue + setting]
    }

    /// Returns the camera's original values of the changed settings.
    func changed(for purpose: Purpose = .session) -> [String: String] {
        var settings: [String: String] = [:]
        for (name, value) in all[camera] ?? [:] {
            let (savedPurpose, setting) = Purpose.split(name)
            if savedPurpose == purpose { settings[setting] = value }
        }
        return settings
    }

    /// Saves the camera's original value to the disk before the worker changes the setting.
    mutating func save(_ setting: String, _ value: String, for purpose: Purpose = .session) {
        if all[camera] == nil, all.count >= Self.camerasMax,
            let least = all.min(by: { $0.value.count < $1.value.count })
        {
            all[least.key] = nil
        }
        all[camera, default: [:]][purpose.rawValue + setting] = value
        // Restarts the count of attempts for the new value.
        removeAttempt(setting, purpose)
        save()
    }

    /// Deletes the backup of a setting that has been restored.
    mutating func remove(_ setting: String, for purpose: Purpose = .session) {
        let hadValue = all[camera]?.removeValue(forKey: purpose.rawValue + setting) != nil
        // A setting that switches control between the dials and the worker has no saved value, but may have
        // an entry for its attempts.
        guard hadValue || all[camera]?[Self.attempt(setting, purpose)] != nil else { return }
        removeAttempt(setting, purpose)
        save()
    }

    // MARK: Attempts to restore

    /// Records on the disk that an attempt to restore a value starts. If the driver crashes in the attempt,
    /// later connections use this record to skip the value.
    ///
    /// - Parameter countsKills: Whether the attempt counts if this process is killed. Pass `false` at the end
    ///   of a connection, where a slow worker is routinely killed.
    /// - Returns: `false` if the driver crashed in an earlier attempt, or if two earlier processes died in
    ///   their attempts. The worker must then not restore the value.
    mutating func beginAttempt(
        _ setting: String, for purpose: Purpose, countsKills: Bool = true
    ) -> Bool {
        guard !isGivenUp(setting, for: purpose) else { return false }
        let attempt = Self.attempt(setting, purpose)
        all[camera, default: [:]][attempt] = "\((deaths[attempt] ?? 0) + (countsKills ? 1 : 0)) \(process)"
        save()
        return true
    }

    /// Records that the attempt ended without a crash, successfully or not.
    mutating func endAttempt(_ setting: String, for purpose: Purpose) {
        removeAttempt(setting, purpose)
        save()
    }

    /// Returns whether the worker has stopped trying to restore the setting, because the driver crashed or
    /// earlier processes died in their attempts.
    func isGivenUp(_ setting: String, for purpose: Purpose) -> Bool {
        deaths[Self.attempt(setting, purpose), default: 0] >= Self.deathsMax
    }

    /// The settings that the worker has stopped trying to restore.
    var givenUp: [(purpose: Purpose, setting: String)] {
        deaths.filter { $0.value >= Self.deathsMax }.keys.sorted()
            .map { Purpose.split(Purpose.split($0).setting) }
    }

    private mutating func removeAttempt(_ setting: String, _ purpose: Purpose) {
        all[camera]?[Self.attempt(setting, purpose)] = nil
        deaths[Self.attempt(setting, purpose)] = nil
        if all[camera]?.isEmpty == true { all[camera] = nil }
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
