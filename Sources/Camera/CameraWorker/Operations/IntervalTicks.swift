import FrameFastModel

/// The ticks of an interval that are still to come. Each has its own time, so that none is late because the one before was;
/// what was missed is missed: several at once would be no interval.
struct IntervalTicks {
    /// Most missed ticks that are told of one by one: a computer that slept for a day misses many.
    static let toldMax = 1_000

    let order: IntervalOrder
    /// The next one.
    private(set) var next: Int

    init(_ order: IntervalOrder) {
        self.order = order
        next = max(order.first, 0)
    }

    /// When the next one is, in nanoseconds of the boot clock; `nil` when there is none.
    var dueNs: UInt64? { next < order.count ? order.due(next) : nil }

    /// The settings to change before the next tick: those of its ramp, and those of the ticks from `first` on that went by.
    /// Of several values for one setting, the last one counts.
    func changes(since first: Int) -> [CameraSettingChange] {
        var latest: [String: CameraSettingChange] = [:]
        for tick in order.ramp.keys.sorted() where tick >= first && tick <= next {
            for change in order.ramp[tick] ?? [] { latest[change.name] = change }
        }
        return latest.values.sorted { $0.name < $1.name }
    }

    /// Takes what is due.
    ///
    /// - Returns: the ticks that went by, and the one whose time it is, if that has not gone by as well.
    mutating func take(nowNs: UInt64) -> (missed: Range<Int>, tick: Int?) {
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
