import FrameFastModel
import Glibc

/// An operation that is being carried out.
struct RunningOperation {
    /// Where it is.
    enum Step {
        /// The shutter is open until a time.
        case open(untilNs: UInt64)
        /// A movie is recorded until a time, or until somebody ends it.
        case recording(untilNs: UInt64?)
        /// Photos are taken at the ticks of a clock.
        case ticks(IntervalTicks)
        /// A setting is being changed before the next photo.
        case setting
        /// The next photo is to be taken.
        case shot
        /// The photo is being taken.
        case exposing
        /// The focus is to be moved before the next photo.
        case focus
        /// What was changed is to be set back.
        case back
    }

    let order: CameraOperation
    var step: Step
    /// Since when it runs, in nanoseconds of the boot clock.
    let beganNs: UInt64
    /// When the next thing is due, in nanoseconds of the boot clock.
    var dueNs: UInt64
    /// How often in a row what is due could not be done.
    var tries = 0
    /// Photos that were taken.
    var done = 0
    /// How it has ended, once it has; what was changed is set back first.
    var end: (state: CameraOperationProgress.State, reason: String?)?
    /// Whether the next connection continues it, so that its end here is no end.
    var continues = false
    /// How long it took, in milliseconds, once it has ended.
    var tookMs: Int?
    /// The setting that a bracket changes, as it was.
    var base: CameraSetting?

    /// What is written to end it; `nil` for what ends by itself.
    var toggle: CameraHabits.Toggle?

    var kind: CameraOperation.Kind { order.kind }

    /// Photos in all.
    var total: Int? {
        switch order {
        case .interval(let order): order.count
        case .bracket(let order): order.stops.count
        case .focusStack(let order): order.count
        case .bulb, .release: 1
        case .movie: nil
        }
    }

    func elapsedMs(nowNs: UInt64) -> Int { Int(clamping: (nowNs - min(nowNs, beganNs)) / 1_000_000) }

    /// The progress of the operation.
    ///
    /// - Parameters:
    ///   - nowNs: The current time of the boot clock, in nanoseconds.
    ///   - wallMs: The current time, in milliseconds since 1970.
    func progress(nowNs: UInt64, wallMs: Int, tick: IntervalTick? = nil) -> CameraOperationProgress {
        CameraOperationProgress(
            kind: kind, state: end?.state ?? .running, done: done, total: total, tick: tick,
            elapsedMs: tookMs ?? elapsedMs(nowNs: nowNs),
            nextAtMs: nextNs.map { wallMs + (Int(clamping: $0) - Int(clamping: nowNs)) / 1_000_000 },
            epochNs: epochNs, reason: end?.reason)
    }

    private var epochNs: UInt64? {
        guard case .interval(let order) = order else { return nil }
        return order.epochNs
    }

    /// The time of the next photo of an interval, in nanoseconds of the boot clock, or `nil` if no photo is due.
    private var nextNs: UInt64? {
        guard end == nil, case .ticks(let ticks) = step else { return nil }
        return ticks.dueNs
    }
}

extension CameraOperation {
    /// Whether its numbers are within their bounds.
    var isWithinBounds: Bool {
        switch self {
        case .bulb(let order): BulbOrder.rangeMs.contains(order.durationMs)
        case .interval(let order):
            IntervalOrder.periodRangeMs.contains(order.periodMs)
                && IntervalOrder.countRange.contains(order.count)
                && (0...order.count).contains(order.first)
                && (0...order.count).contains(order.shot ?? 0)
                && max(order.epochNs, order.firstNs ?? 0) < UInt64(Int64.max)
        case .bracket(let order):
            BracketOrder.countRange.contains(order.stops.count)
                && order.stops.allSatisfy { BracketOrder.stopsRange.contains($0) }
        case .focusStack(let order):
            FocusStackOrder.countRange.contains(order.count)
                && FocusStep.countRange.contains(order.step.count)
        case .release(let order): order.atNs < UInt64(Int64.max)
        case .movie(let order): order.durationMs.map { MovieOrder.rangeMs.contains($0) } ?? true
        }
    }
}

extension CameraSetting {
    /// The value that is some stops brighter; `nil` for what cannot be counted so.
    func brighter(by stops: Double) -> CameraSettingValue? {
        switch key {
        case .shutter:
            guard let here = value?.stops(of: .shutter) else { return nil }
            return CameraSettingValue(seconds: exp2(here + stops))
        case .exposureCompensation:
            guard let here = value?.stops(of: .exposureCompensation) else { return nil }
            return CameraSettingValue(stops: here + stops)
        default: return nil
        }
    }
}
