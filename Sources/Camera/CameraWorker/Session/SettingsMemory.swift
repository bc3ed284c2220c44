import FoundationEssentials
import Glibc

/// The camera's own settings from before they were changed here, kept in this worker's home: what a crash kept from
/// being given back is given back at the end of the next session with the same camera.
struct SettingsMemory {
    /// Cameras that are remembered, at most.
    private static let camerasMax = 64

    private let path: String
    /// Who the camera is.
    let camera: String
    private var all: [String: [String: String]]
    /// How many earlier processes died in each attempt, by the noted name.
    private var deaths: [String: Int]
    /// Processes that die in an attempt before it is given up. One may have been killed for another reason: with the service,
    /// by a pulled cable, or because the camera was silent for long.
    private static let deathsMax = 2

    /// - Parameters:
    ///   - camera: who the camera is: maker and serial number.
    ///   - folder: where they are kept.
    init(camera: String, folder: String = WorkerPlace.home) {
        self.camera = camera
        path = folder + "/camera-settings.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: [String: String]].self, from: $0) } ?? [:]
        deaths = (all[camera] ?? [:]).filter { Purpose.split($0.key).purpose == .attempt }
            .mapValues { Int($0) ?? 1 }
    }

    /// What a setting was changed for.
    enum Purpose: String, CaseIterable {
        /// The whole session.
        case session = ""
        /// Live view, by the driver.
        case liveView = "live view: "
        /// An operation: a bulb's shutter speed, a bracket's exposure.
        case operation = "operation: "
        /// The attempt to set another value back, by its purpose and name. The value is the number of the attempt; the
        /// process that noted it died in it, and so did those that noted the numbers before.
        case attempt = "attempt: "

        /// The purpose of a noted name, and the setting.
        static func split(_ name: String) -> (purpose: Purpose, setting: String) {
            let purpose = allCases.first { $0 != .session && name.hasPrefix($0.rawValue) } ?? .session
            return (purpose, String(name.dropFirst(purpose.rawValue.count)))
        }
    }

    /// The camera's own value of a setting; `nil` when it was not changed.
    subscript(setting: String, for purpose: Purpose = .session) -> String? {
        all[camera]?[purpose.rawValue + setting]
    }

    /// Settings that were changed.
    func changed(for purpose: Purpose = .session) -> [String: String] {
        var settings: [String: String] = [:]
        for (name, value) in all[camera] ?? [:] {
            let (noted, setting) = Purpose.split(name)
            if noted == purpose { settings[setting] = value }
        }
        return settings
    }

    /// Notes a value before it is changed, on disk.
    mutating func remember(_ setting: String, _ value: String, for purpose: Purpose = .session) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera, default: [:]][purpose.rawValue + setting] = value
        // Another value has its own attempt.
        forgetAttempt(setting, purpose)
        save()
    }

    /// The camera has its own value again.
    mutating func forget(_ setting: String, for purpose: Purpose = .session) {
        let hadValue = all[camera]?.removeValue(forKey: purpose.rawValue + setting) != nil
        // What only switches who has the command has no value, and may be given up all the same.
        guard hadValue || all[camera]?[Self.attempt(setting, purpose)] != nil else { return }
        forgetAttempt(setting, purpose)
        if all[camera]?.isEmpty == true { all[camera] = nil }
        save()
    }

    // MARK: Values that cannot be set back

    /// Notes on disk that a value is about to be set back: a driver that crashes by it would crash at each connection.
    ///
    /// - Returns: false if two earlier processes died in this attempt; the value is left alone then.
    mutating func beginAttempt(_ setting: String, for purpose: Purpose) -> Bool {
        guard !isGivenUp(setting, for: purpose) else { return false }
        let attempt = Self.attempt(setting, purpose)
        all[camera, default: [:]][attempt] = String((deaths[attempt] ?? 0) + 1)
        save()
        return true
    }

    /// The driver has survived the attempt, whatever came of it.
    mutating func endAttempt(_ setting: String, for purpose: Purpose) {
        forgetAttempt(setting, purpose)
        save()
    }

    /// Whether earlier processes died while they set the value back, and it is not tried again.
    func isGivenUp(_ setting: String, for purpose: Purpose) -> Bool {
        deaths[Self.attempt(setting, purpose), default: 0] >= Self.deathsMax
    }

    /// The values that are not set back any more.
    var givenUp: [(purpose: Purpose, setting: String)] {
        deaths.filter { $0.value >= Self.deathsMax }.keys.sorted()
            .map { Purpose.split(Purpose.split($0).setting) }
    }

    private mutating func forgetAttempt(_ setting: String, _ purpose: Purpose) {
        all[camera]?[Self.attempt(setting, purpose)] = nil
        deaths[Self.attempt(setting, purpose)] = nil
    }

    private static func attempt(_ setting: String, _ purpose: Purpose) -> String {
        Purpose.attempt.rawValue + purpose.rawValue + setting
    }

    private func save() {
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot note the camera's settings: \(error)")
        }
    }
}
