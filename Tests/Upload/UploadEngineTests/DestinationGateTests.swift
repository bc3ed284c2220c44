import Foundation
import Testing

@testable import UploadEngine

/// Tests of the number of uploads that may run, and of the reported state.
@Suite struct DestinationGateTests {
    /// The earlier results of a destination.
    enum Results: Sendable, CaseIterable { case well, away, back, refusing }

    static let soon = BreakerTests.now.addingTimeInterval(3)

    private static func breaker(_ results: Results) -> Breaker {
        var breaker = Breaker()
        switch results {
        case .well: break
        case .away, .back:
            for _ in 0..<Breaker.outagesToOpen {
                _ = breaker.recordOutage(at: BreakerTests.now, retryAfterSeconds: nil, jitter: 1)
            }
            guard results == .back else { break }
            _ = breaker.startProbeIfDue(at: soon)
            _ = breaker.recordProbe(.reached, at: soon, jitter: 1)
        case .refusing: _ = breaker.recordRefusal(at: BreakerTests.now, jitter: 0)
        }
        return breaker
    }

    private static func gate(_ results: Results, isPaused: Bool = false, isHeldByMeter: Bool = false)
        -> DestinationGate
    {
        var gate = DestinationGate(isPaused: isPaused)
        gate.isHeldByMeter = isHeldByMeter
        gate.breaker = breaker(results)
        return gate
    }

    @Test(arguments: [
        (Results.well, 4, DestinationState.ready), (.away, 0, .away(nextTry: Self.soon)),
        (.back, 1, .away(nextTry: nil)), (.refusing, 0, .refusing),
    ])
    func `the destination's results open or close the gate`(
        results: Results, workers: Int, state: DestinationState
    ) {
        let gate = Self.gate(results)
        #expect(gate.allowance(workers: 4) == workers)
        #expect(gate.state == state)
    }

    @Test(arguments: Results.allCases, [false, true])
    func `a manual pause closes the gate and sets the state`(results: Results, isHeldByMeter: Bool) {
        let gate = Self.gate(results, isPaused: true, isHeldByMeter: isHeldByMeter)
        #expect(gate.allowance(workers: 4) == 0)
        #expect(gate.state == .paused)
    }

    @Test(arguments: [
        (Results.well, DestinationState.metered), (.away, .away(nextTry: Self.soon)),
        (.back, .away(nextTry: nil)),
        (.refusing, .refusing),
    ])
    func `a metered network closes the gate and changes only the ready state`(
        results: Results, state: DestinationState
    ) {
        let gate = Self.gate(results, isHeldByMeter: true)
        #expect(gate.allowance(workers: 4) == 0)
        #expect(gate.state == state)
    }
}
