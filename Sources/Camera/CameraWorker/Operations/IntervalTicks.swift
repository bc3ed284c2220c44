import FrameFastModel

/// The remaining ticks of an interval. Each tick has a fixed time, which means that a late tick does not
/// delay the next tick. Missed ticks are skipped, because several photos at once would not be an interval.
struct IntervalTicks {
    /// The maximum number of missed ticks that are reported individually. A system that was suspended for a
    /// day misses many ticks.
    static let reportedMax = 1_000

    let order: IntervalOrder
    /// The number of the next tick.
    private(set) var next: Int

    init(_ order: IntervalOrder) {
        self.order = order
        next = max(order.first, 0)
    }

    /// The time of the next tick, in nanoseconds of the boot clock, or `nil` after the last tick.
    var dueNs: UInt64? { next < order.count ? order.due(next) : nil }

    /// Returns the setting changes to apply before the next tick: the changes of that tick and of the missed
    /// ticks from `first` on. If a setting is changed several times, returns the last value.
    func changes(since first: Int) -> [CameraSettingChange] {
        var latest: [String: CameraSettingChange] = [:]
        for tick in order.ramp.keys.sorted() where tick >= first && tick <= next {
            for change in order.ramp[tick] ?? [] { latest[change.name] = change }
        }
        return latest.values.sorted { $0.name < $1.name }
    }

    /// Removes the due ticks.
    ///
    /// - Returns: The missed ticks, and the due tick if it was not missed.
    mutating func removeDue(nowNs: UInt64) -> (missed: Range<Int>, tick: Int?) {
        let first = next
        guard let dueNs, nowNs >= dueNs else { return (first..<first, nil) }
        let periodNs = UInt64(order.periodMs) * 1_000_000
        let reached = first + Int(clamping: (nowNs - dueNs) / periodNs)
        guard reached < order.count else {
            next = order.count
            return (first..<order.count, nil)
        }
        next = reached + 1
        return (first..<reached, reached)
    }
}
