import FrameFastModel

/// The values that the driver offers for settings of the camera. The names of values differ between versions
/// of libgphoto2. A profile therefore has a method for each version.
struct OfferedValues {
    /// The offered values by the driver's name of the setting. Empty for a setting without a list of values.
    private var choices: [String: [String]] = [:]

    /// Returns the settings that must be read before a method can be chosen, in alphabetical order. More than
    /// one method writes these settings, and their values are not recorded yet.
    ///
    /// - Parameter methods: The settings that each method writes.
    func unread(among methods: [[CameraProfile.Setting]]) -> [String] {
        let names = methods.flatMap { Set($0.map(\.setting)) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.filter { $0.value > 1 && choices[$0.key] == nil }.keys.sorted()
    }

    /// Records the values that the driver offers for a setting.
    mutating func record(_ values: [String], of name: String) { choices[name] = values }

    /// Returns whether the driver offers all values that a method writes. Only recorded settings with a list
    /// of values are checked.
    ///
    /// - Parameter method: The settings that the method writes.
    func contains(_ method: [CameraProfile.Setting]) -> Bool {
        method.allSatisfy { setting in
            guard let values = choices[setting.setting], !values.isEmpty else { return true }
            return values.contains(setting.value)
        }
    }
}

extension CameraProfile.Toggle {
    /// The settings that this method writes.
    var settings: [CameraProfile.Setting] { begin + end }
}
