import Foundation
import Testing

@testable import UploadEngine

@Suite struct BreakerTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)

    static func opened(_ seconds: Double) -> Breaker.Action {
        .opened(until: now.addingTimeInterval(seconds))
    }

    @Test func `breaker opens only after three consecutive outages`() {
        var breaker = Breaker()
        for _ in 0..<10 {
            let result1 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
            #expect(result1 == .nothing)
            let result2 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
            #expect(result2 == .nothing)
            _ = breaker.recordSuccess()
        }
        for _ in 0..<2 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        #expect(breaker.allowance(workers: 4) == 4)
        let result3 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
        #expect(result3 == Self.opened(3))
        #expect(breaker.allowance(workers: 4) == 0)
        let late = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
        #expect(late == .nothing, "the job started before the breaker opened")
    }

    @Test func `breaker probes, runs one trial job, then closes`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        let tooEarly = breaker.startProbeIfDue(at: Self.now)
        #expect(tooEarly == .nothing)
        let asks = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        #expect(asks == .probe)
        let asksOnce = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        #expect(asksOnce == .nothing)
        let result = breaker.recordProbe(.reached, at: Self.now, jitter: 1)
        #expect(result == .tryOne)
        #expect(breaker.allowance(workers: 4) == 1)
        let back = breaker.recordSuccess()
        #expect(back == .closed)
        #expect(breaker.allowance(workers: 4) == 4)
    }

    @Test func `keeps probing, with pauses that grow from three to thirty seconds`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        var pauses: [Double] = []
        for _ in 0..<1000 {
            guard case .open(_, let until) = breaker.state else { break }
            pauses.append(until.timeIntervalSince(Self.now))
            _ = breaker.startProbeIfDue(at: until)
            _ = breaker.recordProbe(.away, at: Self.now, jitter: 1)
        }
        #expect(pauses.prefix(5) == [3, 6, 12, 24, 30])
        #expect(pauses.count == 1000)
        #expect(pauses.allSatisfy { $0 <= 30 })
    }

    @Test func `backs off trial jobs up to two minutes while they fail`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        var last = Breaker.Action.nothing
        for _ in 0..<20 {
            _ = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(1000))
            _ = breaker.recordProbe(.reached, at: Self.now, jitter: 1)
            last = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
        }
        #expect(last == Self.opened(120))
    }

    @Test func `breaker opens at the first Retry-After for the stated time`() {
        var breaker = Breaker()
        let result = breaker.recordOutage(at: Self.now, retryAfterSeconds: 17, jitter: 1)
        #expect(result == Self.opened(17))
    }

    @Test func `one refusal stops all uploads and starts slow probes`() {
        var breaker = Breaker()
        let first = breaker.recordRefusal(at: Self.now, jitter: 0)
        #expect(first == Self.opened(120))
        for _ in 0..<15 {
            let late = breaker.recordRefusal(at: Self.now, jitter: 0)
            #expect(late == .nothing, "the job started before the breaker opened")
        }
        #expect(breaker.allowance(workers: 16) == 0)
        let early = breaker.recordSuccess()
        #expect(early == .nothing, "the job started before the refusal")
        var pauses: [Double] = []
        for _ in 0..<8 {
            guard let until = breaker.nextProbe else { break }
            pauses.append(until.timeIntervalSince(Self.now))
            let asks = breaker.startProbeIfDue(at: until)
            #expect(asks == .probe)
            #expect(breaker.cause == .refused)
            _ = breaker.recordProbe(.refused, at: Self.now, jitter: 0)
        }
        #expect(pauses == [120, 240, 480, 960, 1800, 1800, 1800, 1800])
        // The password is sent after 0, 2, 6 and 14 minutes, and so on: fewer than five times in 10 minutes.
        var shown = [0.0]
        for pause in pauses { shown.append(shown[shown.count - 1] + pause) }
        for start in shown { #expect(shown.count { $0 >= start && $0 < start + 600 } < 5) }
    }

    @Test func `a refusing destination can recover, become unreachable or refuse again`() {
        func asked(_ result: Breaker.ProbeResult) -> Breaker {
            var breaker = Breaker()
            _ = breaker.recordRefusal(at: Self.now, jitter: 0)
            _ = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(120))
            _ = breaker.recordProbe(result, at: Self.now, jitter: 1)
            return breaker
        }
        var recovered = asked(.reached)
        #expect(recovered.state == .trial(.refused) && recovered.allowance(workers: 4) == 1)
        let worked = recovered.recordSuccess()
        #expect(worked == .closed)
        var again = asked(.reached)
        let refused = again.recordRefusal(at: Self.now, jitter: 0)
        #expect(refused == Self.opened(240))
        let away = asked(.away)
        #expect(away.state == .open(.away, until: Self.now.addingTimeInterval(3)))
        var resumed = asked(.refused)
        let reset = resumed.reset()
        #expect(reset == .closed && resumed.allowance(workers: 4) == 4)
    }

    @Test func `a refused probe turns an outage into a refusal`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        _ = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        let result = breaker.recordProbe(.refused, at: Self.now, jitter: 0)
        #expect(result == Self.opened(120))
        #expect(breaker.cause == .refused)
    }

    @Test func `probes immediately after the clock was set back`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        let result = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(-1e7))
        #expect(result == .probe)
    }

    @Test func `token bucket keeps the mean rate for every chunk size`() {
        for piece in [100, 1_000, 64_000, 1_000_000] {
            var bucket = TokenBucket(bytesPerSecond: 1_000_000)
            var now = 0.0
            var sent = 0
            while sent < 20_000_000 {
                now += bucket.reserve(piece, at: now)
                sent += piece
            }
            let rate = Double(sent) / now
            #expect((950_000...1_100_000).contains(rate), "\(rate) with pieces of \(piece)")
        }
    }
}
