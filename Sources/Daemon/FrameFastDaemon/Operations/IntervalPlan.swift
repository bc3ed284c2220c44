import FrameFastModel

/// An interval that was asked for, and what became of its ticks so far. A value: no clock, no files.
struct IntervalPlan: Codable, Hashable, Sendable {
    /// Ticks that follow each other.
    struct Run: Codable, Hashable, Sendable {
        var first: Int
        var last: Int
    }

    /// The camera.
    var camera: CameraID
    /// What was asked for.
    var order: IntervalOrder
    /// When tick 0 is by the wall clock, in milliseconds since 1970: after a restart of the computer its other clock has begun
    /// anew.
    var epochWallMs: Int64
    /// Where it stands.
    var state: CameraOperationProgress.State = .running
    /// Why it stopped or failed.
    var reason: String?

    /// The next tick that nothing is known of.
    private(set) var next = 0
    /// Ticks for which the shutter was released.
    private(set) var shot = 0
    private(set) var missed: [Run] = []
    private(set) var refused: [Run] = []
    /// How late the latest release was, in microseconds.
    private(set) var latestUs = 0

    /// A plan whose ticks are all to come.
    init(camera: CameraID, order: IntervalOrder, epochWallMs: Int64) {
        self.camera = camera
        self.order = order
        self.epochWallMs = epochWallMs
    }

    /// Whether a report is about this interval. The last report of the camera's interval before it may come after its order.
    func isSubject(of progress: CameraOperationProgress) -> Bool {
        progress.kind == .interval && progress.epochNs == order.epochNs
    }

    /// Takes note of a tick.
    ///
    /// - Returns: false for one that is known already.
    mutating func note(_ tick: IntervalTick) -> Bool {
        guard tick.number >= next else { return noteLate(tick) }
        guard tick.number < order.count else { return false }
        // What was not told of was missed.
        Self.add(next..<tick.number, to: &missed)
        next = tick.number + 1
        switch tick.outcome {
        case .shot:
            shot += 1
            latestUs = max(latestUs, tick.latenessUs)
        case .missed: Self.add(tick.number..<next, to: &missed)
        case .refused: Self.add(tick.number..<next, to: &refused)
        }
        return true
    }

    /// Takes note of a photo whose report waited, for a slow disk, until its tick was counted as missed.
    private mutating func noteLate(_ tick: IntervalTick) -> Bool {
        let number = tick.number
        guard tick.outcome == .shot,
            let index = missed.firstIndex(where: { $0.first <= number && number <= $0.last })
        else { return false }
        let run = missed.remove(at: index)
        if number < run.last { missed.insert(Run(first: number + 1, last: run.last), at: index) }
        if run.first < number { missed.insert(Run(first: run.first, last: number - 1), at: index) }
        shot += 1
        latestUs = max(latestUs, tick.latenessUs)
        return true
    }

    /// What is still to be done from a moment on: ticks whose time has gone by are missed.
    ///
    /// - Parameters:
    ///   - nowNs: now by the clock that counts from the computer's start.
    ///   - nowWallMs: now by the wall clock.
    ///   - leadNs: what a tick must be in the future to be reached.
    ///   - isSameStart: Whether the order has its times from this start of the computer. Its clock is right then, whatever
    ///     is done to the wall clock.
    /// - Returns: `nil` when no tick is left; the plan has ended then.
    mutating func resumed(
        nowNs: UInt64, nowWallMs: Int64, leadNs: UInt64, isSameStart: Bool
    ) -> IntervalOrder? {
        let leadNs = Int64(clamping: leadNs)
        let sinceEpochNs =
            isSameStart
            ? elapsedNs(nowNs: nowNs)
            : elapsedNs(nowNs: nowNs, nowWallMs: nowWallMs, leadNs: leadNs)
        let earliestNs = sinceEpochNs + leadNs
        let reached = earliestNs <= 0 ? 0 : Int(clamping: earliestNs / periodNs + 1)
        let first = min(max(reached, next), order.count)
        Self.add(next..<first, to: &missed)
        next = first
        guard first < order.count else {
            state = .ended
            return nil
        }
        order.first = first
        order.firstNs = UInt64(clamping: Int64(clamping: nowNs) + ns(of: first) - sinceEpochNs)
        order.shot = shot
        return order
    }

    /// The plan as it has ended, if its last tick is long past; `nil` while a tick or the report of one can still come. A
    /// worker that has the order reports its last tick long before.
    ///
    /// - Parameters:
    ///   - nowNs: now by the clock that counts from the computer's start.
    ///   - nowWallMs: now by the wall clock.
    ///   - isSameStart: Whether the order has its times from this start of the computer.
    func settled(nowNs: UInt64, nowWallMs: Int64, isSameStart: Bool) -> IntervalPlan? {
        guard state == .running else { return nil }
        let graceMs = Self.lastReportMs + Int64(max(0, order.periodMs))
        let graceNs = UInt64(graceMs) * 1_000_000
        var plan = self
        let rest = plan.resumed(
            nowNs: nowNs - min(nowNs, graceNs), nowWallMs: nowWallMs - graceMs, leadNs: 0,
            isSameStart: isSameStart)
        return rest == nil ? plan : nil
    }

    /// The time in which the last tick is reported, in milliseconds, besides the time of one more tick.
    private static let lastReportMs: Int64 = 60_000

    /// The time since tick 0 by the clock of the computer's start, which is the one of the order, in nanoseconds.
    private func elapsedNs(nowNs: UInt64) -> Int64 {
        let sinceOrderNs = Int64(clamping: nowNs) - Int64(clamping: order.firstNs ?? order.epochNs)
        return min(max(sinceOrderNs, -Self.farNs), Self.farNs)
            + (order.firstNs == nil ? 0 : ns(of: order.first))
    }

    /// The time since tick 0 if the computer may have been started again, in nanoseconds.
    private func elapsedNs(nowNs: UInt64, nowWallMs: Int64, leadNs: Int64) -> Int64 {
        var sinceEpochNs = Int64(clamping: nowNs) - Int64(clamping: order.epochNs)
        sinceEpochNs = min(max(sinceEpochNs, -Self.farNs), Self.farNs)
        let byWallNs = Self.bounded((Double(nowWallMs) - Double(epochWallMs)) * 1_000_000)
        // By both clocks the epoch is the same moment, unless one of them has begun anew.
        if abs(sinceEpochNs - byWallNs) > Self.clocksApartNs { sinceEpochNs = byWallNs }
        // A wall clock that is behind the last known tick is wrong: a computer may start without the time.
        if sinceEpochNs + Self.clocksApartNs < ns(of: max(0, next - 1)) {
            sinceEpochNs = ns(of: next) - leadNs - 1
        }
        return sinceEpochNs
    }

    /// Why photos are missing at the end, in words for a person; `nil` while the interval runs, and when it took all.
    var shortfall: String? {
        guard state == .ended, shot < order.count else { return nil }
        func count(_ runs: [Run]) -> Int { runs.reduce(0) { $0 + $1.last - $1.first + 1 } }
        return "incomplete: \(shot) of \(order.count) photos were taken, \(count(missed)) were missed, "
            + "\(count(refused)) refused"
    }

    private var periodNs: Int64 { max(1, Int64(order.periodMs) * 1_000_000) }

    /// When a tick is after the first one, in nanoseconds.
    private func ns(of tick: Int) -> Int64 { Self.bounded(Double(tick) * Double(periodNs)) }

    /// A time in nanoseconds with which sums do not overflow: 70 years at most.
    private static func bounded(_ ns: Double) -> Int64 {
        Int64(min(max(ns, Double(-farNs)), Double(farNs)))
    }
    private static let farNs: Int64 = 1 << 61

    /// Distance of the two clocks from which on one of them is taken to have begun anew, in nanoseconds: time servers move the
    /// wall clock by less.
    private static let clocksApartNs: Int64 = 60_000_000_000

    private static func add(_ ticks: Range<Int>, to runs: inout [Run]) {
        guard !ticks.isEmpty else { return }
        if let last = runs.indices.last, runs[last].last + 1 == ticks.lowerBound {
            runs[last].last = ticks.upperBound - 1
        } else {
            runs.append(Run(first: ticks.lowerBound, last: ticks.upperBound - 1))
        }
    }
}
