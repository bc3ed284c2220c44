import FrameFastModel

/// A requested interval, with the results of its ticks so far. A tick is one planned release of the shutter.
/// The type does not access clocks or files.
struct IntervalPlan: Codable, Hashable, Sendable {
    /// A run of consecutive ticks.
    struct Run: Codable, Hashable, Sendable {
        var first: Int
        var last: Int
    }

    var camera: CameraID
    /// The serial number of the body, or `nil` if it is unknown.
    var serial: String?
    /// The requested interval, starting at the first remaining tick.
    var command: IntervalCommand
    /// The time of tick 0 by the wall clock, in milliseconds since 1970. The boot-time clock of the command
    /// restarts with the computer.
    var epochWallMs: Int64
    var state: CameraOperationProgress.State = .running
    /// The reason why the interval stopped or failed.
    var reason: String?

    /// The first tick without a result.
    private(set) var next = 0
    /// The number of ticks at which the shutter was released.
    private(set) var shot = 0
    private(set) var missed: [Run] = []
    private(set) var refused: [Run] = []
    /// The largest lateness of a release, in microseconds.
    private(set) var latestUs = 0
    /// The setting changes that failed, or `nil` if none failed.
    private(set) var failedChanges: FailedSettingChanges?

    /// The keys of the stored plan.
    private enum CodingKeys: String, CodingKey {
        case camera, serial, epochWallMs, state, reason, next, shot, missed, refused, latestUs, failedChanges
        case command = "order"
    }

    /// Creates a plan without results.
    init(camera: CameraID, serial: String? = nil, command: IntervalCommand, epochWallMs: Int64) {
        self.camera = camera
        self.serial = serial
        self.command = command
        self.epochWallMs = epochWallMs
    }

    /// Returns whether a report belongs to this interval. The last report of the previous interval may arrive
    /// after the start of this interval.
    func isSubject(of progress: CameraOperationProgress) -> Bool {
        progress.kind == .interval && progress.epochNs == command.epochNs
    }

    /// Records the result of a tick.
    ///
    /// - Returns: Whether the plan changed. `false` if the tick already has a result that the new result does
    ///   not correct, or if the tick is not part of the interval.
    mutating func record(_ tick: IntervalTick) -> Bool {
        guard tick.number >= next else { return recordLate(tick) }
        guard tick.number < command.count else { return false }
        // Ticks without a report were missed.
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

    /// Records a photo whose tick was recorded as missed because a slow disk delayed the report.
    private mutating func recordLate(_ tick: IntervalTick) -> Bool {
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

    /// Records the setting changes that failed so far.
    ///
    /// - Returns: `false` if the plan already contains them.
    mutating func recordFailures(_ failed: FailedSettingChanges) -> Bool {
        guard failed.count > failedChanges?.count ?? 0 else { return false }
        failedChanges = failed
        return true
    }

    /// Returns the command for the remaining ticks. Ticks whose time has passed are recorded as missed.
    ///
    /// - Parameters:
    ///   - nowNs: The time by the boot-time clock, in nanoseconds.
    ///   - nowWallMs: The time by the wall clock, in milliseconds since 1970.
    ///   - leadNs: The minimum lead time of a tick, in nanoseconds.
    ///   - isSameStart: Whether this service process started or resumed the interval. With `true`, the
    ///     boot-time clock is valid, even if the wall clock was set.
    /// - Returns: The command, or `nil` if no tick remains. With `nil`, the state of the plan is `ended`.
    mutating func resumed(
        nowNs: UInt64, nowWallMs: Int64, leadNs: UInt64, isSameStart: Bool
    ) -> IntervalCommand? {
        let leadNs = Int64(clamping: leadNs)
        let sinceEpochNs =
            isSameStart
            ? elapsedNs(nowNs: nowNs)
            : elapsedNs(nowNs: nowNs, nowWallMs: nowWallMs, leadNs: leadNs)
        let earliestNs = sinceEpochNs + leadNs
        let reached = earliestNs <= 0 ? 0 : Int(clamping: earliestNs / periodNs + 1)
        let first = min(max(reached, next), command.count)
        Self.add(next..<first, to: &missed)
        next = first
        guard first < command.count else {
            state = .ended
            return nil
        }
        command.first = first
        command.firstNs = UInt64(clamping: Int64(clamping: nowNs) + ns(of: first) - sinceEpochNs)
        command.shot = shot
        command.failedChanges = failedChanges
        return command
    }

    /// Returns the ended plan, or `nil` while the report of a tick can still arrive.
    ///
    /// The plan ends one period and ``lastReportMs`` after its last tick. If a worker ran the interval, all
    /// reports have arrived by then.
    ///
    /// - Parameters:
    ///   - nowNs: The time by the boot-time clock, in nanoseconds.
    ///   - nowWallMs: The time by the wall clock, in milliseconds since 1970.
    ///   - isSameStart: Whether this service process started or resumed the interval.
    func endedIfOverdue(nowNs: UInt64, nowWallMs: Int64, isSameStart: Bool) -> IntervalPlan? {
        guard state == .running else { return nil }
        let graceMs = Self.lastReportMs + Int64(max(0, command.periodMs))
        let graceNs = UInt64(graceMs) * 1_000_000
        var plan = self
        let rest = plan.resumed(
            nowNs: nowNs - min(nowNs, graceNs), nowWallMs: nowWallMs - graceMs, leadNs: 0,
            isSameStart: isSameStart)
        return rest == nil ? plan : nil
    }

    /// The maximum delay of the last report, in milliseconds, in addition to one period.
    private static let lastReportMs: Int64 = 60_000

    /// Returns the time since tick 0, in nanoseconds, by the boot-time clock. The command uses the same
    /// clock.
    private func elapsedNs(nowNs: UInt64) -> Int64 {
        let sinceCommandNs = Int64(clamping: nowNs) - Int64(clamping: command.firstNs ?? command.epochNs)
        return min(max(sinceCommandNs, -Self.limitNs), Self.limitNs)
            + (command.firstNs == nil ? 0 : ns(of: command.first))
    }

    /// Returns the time since tick 0 if the computer may have restarted, in nanoseconds.
    private func elapsedNs(nowNs: UInt64, nowWallMs: Int64, leadNs: Int64) -> Int64 {
        var sinceEpochNs = Int64(clamping: nowNs) - Int64(clamping: command.epochNs)
        sinceEpochNs = min(max(sinceEpochNs, -Self.limitNs), Self.limitNs)
        let byWallNs = Self.bounded((Double(nowWallMs) - Double(epochWallMs)) * 1_000_000)
        // Usually, both clocks give the same time since tick 0. A large difference means that a clock was
        // reset.
        if abs(sinceEpochNs - byWallNs) > Self.clocksApartNs { sinceEpochNs = byWallNs }
        // A time before the last recorded tick is wrong, for example after a boot without a network.
        if sinceEpochNs + Self.clocksApartNs < ns(of: max(0, next - 1)) {
            sinceEpochNs = ns(of: next) - leadNs - 1
        }
        return sinceEpochNs
    }

    /// The missing photos and the failed setting changes, as a text for people. `nil` while the interval
    /// runs, or if all photos were taken and all settings were changed.
    var shortfall: String? {
        guard state == .ended else { return nil }
        let reasons = [missingPhotos, failedChanges?.sentence].compactMap(\.self)
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    private var missingPhotos: String? {
        guard shot < command.count else { return nil }
        func count(_ runs: [Run]) -> Int { runs.reduce(0) { $0 + $1.last - $1.first + 1 } }
        return "incomplete: \(shot) of \(command.count) photos were taken, \(count(missed)) were missed, "
            + "\(count(refused)) refused"
    }

    private var periodNs: Int64 { max(1, Int64(command.periodMs) * 1_000_000) }

    /// Returns the time from tick 0 to a tick, in nanoseconds.
    private func ns(of tick: Int) -> Int64 { Self.bounded(Double(tick) * Double(periodNs)) }

    /// Returns the time, in nanoseconds, limited to about 70 years. The limit prevents an overflow of sums.
    private static func bounded(_ ns: Double) -> Int64 {
        Int64(min(max(ns, Double(-limitNs)), Double(limitNs)))
    }
    private static let limitNs: Int64 = 1 << 61

    /// The minimum difference between the clocks that indicates a reset, in nanoseconds. Time servers adjust
    /// the wall clock by less.
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
