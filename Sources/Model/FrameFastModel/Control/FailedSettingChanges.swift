/// The failed setting changes of an interval.
public struct FailedSettingChanges: Codable, Hashable, Sendable {
    /// The number of failed changes. A change that fails again after an interruption counts again.
    public var count: Int
    /// The number of the tick whose settings contain the first failed change, from 0.
    public var tick: Int
    /// The first failed change.
    public var change: CameraSettingChange
    /// The reason why the first change failed, for people.
    public var reason: String

    /// Creates a report of failed changes.
    public init(count: Int = 1, tick: Int, change: CameraSettingChange, reason: String) {
        self.count = count
        self.tick = tick
        self.change = change
        self.reason = reason
    }

    /// The number of failed changes and the first failed change, as text for people.
    public var sentence: String {
        let name = change.key == nil ? "raw.\(change.name)" : change.name
        let first = "\(name)=\(change.value) for photo \(tick + 1): \(reason)"
        return count == 1
            ? "a setting was not changed: \(first)" : "\(count) settings were not changed, first \(first)"
    }
}
