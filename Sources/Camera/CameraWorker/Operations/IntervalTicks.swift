import FrameFastModel

/// The remaining ticks of an interval. Each tick has a fixed time. A late tick therefore does not delay the
/// next tick. Missed ticks are skipped, because photos in quick succession would not be an interval.
struct IntervalTicks {
    /// The maximum number of missed ticks that are reported individually. A system that was suspended for a
    /// day misses many ticks.
    static let reportedMax = 1_000

    let command: IntervalCommand
    /// The number of the next tick.
    private(set) var next: Int

    init(_ command: IntervalCommand) {
        self.command = command
        next = max(command.first, 0)
    }

    /// The time of the next tick, in nanoseconds of the boot clock, or `nil` after the last tick.
    var dueNs: UInt64? { next < command.count ? command.due(next) : nil }

    /// Returns the setting changes to apply before the next tick: the changes of that tick and of the missed
    /// ticks from `first` on. If a setting is changed several times, returns the last value.
    func changes(since first: Int) -> [CameraSettingChange] {
        var latest: [String: CameraSettingChange] = [:]
        for tick in command.ramp.keys.sorted() where tick >= first && tick <= next {
            for change in command.ramp[tick] ?? [] { latest[change.name] = change }
        }
        return latest.values.sorted { $0.name < $1.name }
    }

    /// Removes the due ticks.
    ///
    /// - Returns: The missed ticks, and the tick to perform now, or `nil` if there is no such tick.
    mutating func removeDue(nowNs: UInt64) -> (missed: Range<Int>, tick: Int?) {
        let first = next
        guard let dueNs, nowNs >= dueNs else { return (first..<first, nil) }
        let periodNs = UInt64(command.periodMs) * 1_000_000
        let reached = first + Int(clamping: (nowNs - dueNs) / periodNs)
        guard reached < command.count else {
            next = command.count
            return (first..<command.count, nil)
        }
        next = reached + 1
        return (first..<reached, reached)
    }
}
