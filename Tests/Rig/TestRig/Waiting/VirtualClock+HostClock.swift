import Foundation
public import FrameFastSystem

extension VirtualClock {
    /// A host clock for the service that shows this clock's time. The date starts in 1970, and the computer
    /// never sleeps.
    public var hostClock: HostClock {
        let uptime: @Sendable () -> Double = { self.now.elapsed / .seconds(1) }
        let sleep: @Sendable (Double) async throws -> Void = { try await self.sleep(for: .seconds($0)) }
        return HostClock(
            now: { Date(timeIntervalSince1970: uptime()) }, uptime: uptime, awakeTime: uptime, slept: { 0 },
            bootTimeNs: { UInt64(uptime() * 1e9) }, sleep: sleep, sleepAwake: sleep, random: { 0.5 },
            randomBits: { HostClock.system.randomBits() }, minuteOfDay: { _ in 0 })
    }
}
