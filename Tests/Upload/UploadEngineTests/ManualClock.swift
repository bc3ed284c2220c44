import Foundation
import FrameFastSystem
import Synchronization
import TestRig

@testable import UploadEngine

/// A clock that the test advances.
final class ManualClock: Sendable {
    private struct Sleeper {
        /// The uptime at which the sleeper wakes. A clock step wakes no sleeper.
        var until: Double
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Date(timeIntervalSince1970: 1_795_271_130)
        var uptime = 0.0
        var slept = 0.0
        var sleepers: [UUID: Sleeper] = [:]
        var cancelled: Set<UUID> = []
        var minute = 12 * 60
    }

    private let state = Mutex(State())

    var now: Date { state.withLock { $0.now } }
    var uptime: Double { state.withLock { $0.uptime } }

    /// A `HostClock` with the times of this clock, for the queue.
    var clock: HostClock {
        HostClock(
            now: { self.now }, uptime: { self.uptime },
            awakeTime: { self.state.withLock { $0.uptime - $0.slept } },
            slept: { self.state.withLock { $0.slept } }, bootTimeNs: { UInt64(self.uptime * 1e9) },
            sleep: { try await self.sleep($0) },
            // The queue does not call this closure.
            sleepAwake: { try await self.sleep($0) }, random: { 0.5 },
            randomBits: { HostClock.system.randomBits() },
            minuteOfDay: { _ in self.state.withLock { $0.minute } })
    }

    func set(minuteOfDay: Int) { state.withLock { $0.minute = minuteOfDay } }

    /// Changes the date without advancing the uptime, as a person or NTP does.
    func set(forwardBy seconds: Double) { state.withLock { $0.now += seconds } }

    /// Simulates a sleep of the computer: advances the time, and then wakes the due sleepers.
    func suspend(_ seconds: Double) { advance(seconds, asleep: seconds) }

    /// Advances the time and wakes the due sleepers.
    func advance(_ seconds: Double) { advance(seconds, asleep: 0) }

    private func advance(_ seconds: Double, asleep: Double) {
        let due = state.withLock { state in
            state.slept += asleep
            state.now += seconds
            state.uptime += seconds
            let due = state.sleepers.filter { $0.value.until <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until a sleeping task is due within this time, in seconds.
    func waitForSleeper(within seconds: Double) async throws {
        try await eventually("a sleep of at most \(seconds) s") {
            state.withLock { state -> Void? in
                state.sleepers.values.contains { $0.until <= state.uptime + seconds } ? () : nil
            }
        }
    }

    private func sleep(_ seconds: Double) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || Task.isCancelled { return true }
                    state.sleepers[id] = Sleeper(
                        until: state.uptime + seconds, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
