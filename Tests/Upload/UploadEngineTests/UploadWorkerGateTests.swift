import Foundation
import Testing

@testable import UploadEngine

/// Whether uploads may go, and what people see of it.
@Suite struct UploadWorkerGateTests {
    /// How a destination answered before.
    enum Answers: Sendable, CaseIterable { case well, away, back, refusing }

    static let soon = BreakerTests.now.addingTimeInterval(3)

    private static func breaker(_ answers: Answers) -> Breaker {
        var breaker = Breaker()
        switch answers {
        case .well: break
        case .away, .back:
            for _ in 0..<Breaker.outagesToOpen {
                _ = breaker.recordOutage(at: BreakerTests.now, retryAfterSeconds: nil, jitter: 1)
            }
            guard answers == .back else { break }
            _ = breaker.startProbeIfDue(at: soon)
            _ = breaker.recordProbe(.reached, at: soon, jitter: 1)
        case .refusing: _ = breaker.recordRefusal(at: BreakerTests.now, jitter: 0)
        }
        return breaker
    }

    private static func gate(_ answers: Answers, isPaused: Bool = false, isHeldByMeter: Bool = false)
        -> DestinationGate
    {
        var gate = DestinationGate(isPaused: isPaused)
        gate.isHeldByMeter = isHeldByMeter
        gate.breaker = breaker(answers)
        return gate
    }

    @Test(arguments: [
        (Answers.well, 4, UploadStanding.ready), (.away, 0, .away(nextTry: Self.soon)),
        (.back, 1, .away(nextTry: nil)), (.refusing, 0, .refusing),
    ])
    func `when nobody holds it the destination's own answers decide`(
        answers: Answers, workers: Int, standing: UploadStanding
    ) {
        let gate = Self.gate(answers)
        #expect(gate.allowance(workers: 4) == workers)
        #expect(gate.standing == standing)
    }

    @Test(arguments: Answers.allCases, [false, true])
    func `a person's pause holds it in any case, and is what is shown`(answers: Answers, isHeldByMeter: Bool)
    {
        let gate = Self.gate(answers, isPaused: true, isHeldByMeter: isHeldByMeter)
        #expect(gate.allowance(workers: 4) == 0)
        #expect(gate.standing == .paused)
    }

    @Test(arguments: [
        (Answers.well, UploadStanding.metered), (.away, .away(nextTry: Self.soon)),
        (.back, .away(nextTry: nil)),
        (.refusing, .refusing),
    ])
    func `a network that costs money holds it too, and is shown of a destination that is well`(
        answers: Answers, standing: UploadStanding
    ) {
        let gate = Self.gate(answers, isHeldByMeter: true)
        #expect(gate.allowance(workers: 4) == 0)
        #expect(gate.standing == standing)
    }
}
