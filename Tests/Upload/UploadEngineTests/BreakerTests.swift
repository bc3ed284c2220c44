import Foundation
import Testing

@testable import UploadEngine

@Suite struct BreakerTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)

    static func opened(_ seconds: Double) -> Breaker.Action {
        .opened(until: now.addingTimeInterval(seconds))
    }

    @Test func `it opens after three outages in a row, not after one that was made good`() {
        var breaker = Breaker()
        for _ in 0..<10 {
            let answer1 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
            #expect(answer1 == .nothing)
            let answer2 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
            #expect(answer2 == .nothing)
            _ = breaker.recordSuccess()
        }
        for _ in 0..<2 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        #expect(breaker.allowance(workers: 4) == 4)
        let answer3 = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
        #expect(answer3 == Self.opened(3))
        #expect(breaker.allowance(workers: 4) == 0)
        let late = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1)
        #expect(late == .nothing, "said by a job that was on its way")
    }

    @Test func `it asks, lets one go, and then all`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        let tooEarly = breaker.startProbeIfDue(at: Self.now)
        #expect(tooEarly == .nothing)
        let asks = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        #expect(asks == .probe)
        let asksOnce = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        #expect(asksOnce == .nothing)
        let answers = breaker.recordProbe(.reached, at: Self.now, jitter: 1)
        #expect(answers == .tryOne)
        #expect(breaker.allowance(workers: 4) == 1)
        let back = breaker.recordSuccess()
        #expect(back == .closed)
        #expect(breaker.allowance(workers: 4) == 4)
    }

    @Test func `probes come at three seconds, and then at thirty at most, for ever`() {
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

    @Test func `a place that answers and does not work is tried ever more rarely, up to two minutes`() {
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

    @Test func `a destination that says when to come back is believed at once`() {
        var breaker = Breaker()
        let answer = breaker.recordOutage(at: Self.now, retryAfterSeconds: 17, jitter: 1)
        #expect(answer == Self.opened(17))
    }

    @Test func `one refusal stops all workers, and the destination is asked at a slow pace`() {
        var breaker = Breaker()
        let first = breaker.recordRefusal(at: Self.now, jitter: 0)
        #expect(first == Self.opened(120))
        for _ in 0..<15 {
            let late = breaker.recordRefusal(at: Self.now, jitter: 0)
            #expect(late == .nothing, "said by a job that was on its way")
        }
        #expect(breaker.allowance(workers: 16) == 0)
        let early = breaker.recordSuccess()
        #expect(early == .nothing, "one that was on its way before says nothing of it")
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
        // Shown at 0, 2, 6 and 14 minutes.
        var shown = [0.0]
        for pause in pauses { shown.append(shown[shown.count - 1] + pause) }
        for start in shown { #expect(shown.count { $0 >= start && $0 < start + 600 } < 5) }
    }

    @Test func `a destination that refused heals by itself, or goes away, or refuses the job that tries`() {
        func asked(_ answer: Breaker.ProbeAnswer) -> Breaker {
            var breaker = Breaker()
            _ = breaker.recordRefusal(at: Self.now, jitter: 0)
            _ = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(120))
            _ = breaker.recordProbe(answer, at: Self.now, jitter: 1)
            return breaker
        }
        var healed = asked(.reached)
        #expect(healed.state == .trial(.refused) && healed.allowance(workers: 4) == 1)
        let worked = healed.recordSuccess()
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

    @Test func `an outage that ends in a refusal is a refusal`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        _ = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(3))
        let answer = breaker.recordProbe(.refused, at: Self.now, jitter: 0)
        #expect(answer == Self.opened(120))
        #expect(breaker.cause == .refused)
    }

    @Test func `a clock that is set back does not keep it open`() {
        var breaker = Breaker()
        for _ in 0..<3 { _ = breaker.recordOutage(at: Self.now, retryAfterSeconds: nil, jitter: 1) }
        let answer = breaker.startProbeIfDue(at: Self.now.addingTimeInterval(-1e7))
        #expect(answer == .probe)
    }

    @Test func `the mean rate is kept, whatever the pieces are`() {
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
