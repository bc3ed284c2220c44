import FrameFastModel
import Testing

@Suite struct BackoffTests {
    static let plain = Backoff(first: .seconds(3), maximum: .seconds(30))
    static let tripled = Backoff(first: .milliseconds(100), factor: 3, maximum: .seconds(1))

    @Test(arguments: [
        (plain, [(1, Duration.seconds(3)), (2, .seconds(6)), (4, .seconds(24)), (5, .seconds(30))]),
        (plain, [(0, .seconds(3)), (-7, .seconds(3)), (1_000, .seconds(30)), (.max, .seconds(30))]),
        (
            tripled,
            [(1, .milliseconds(100)), (2, .milliseconds(300)), (3, .milliseconds(900)), (4, .seconds(1))]
        ),
    ])
    func `each wait grows by the factor up to the maximum`(
        backoff: Backoff, waits: [(failures: Int, wait: Duration)]
    ) {
        for (failures, wait) in waits { #expect(backoff.wait(after: failures) == wait) }
    }

    @Test(arguments: [
        (0.5...1, 0.0, Duration.seconds(5)), (0.5...1, 0.5, .milliseconds(7_500)), (0.5...1, 1, .seconds(10)),
        (1...1.5, 0, .seconds(10)), (1...1.5, 1, .seconds(15)), (1...1, 0.7, .seconds(10)),
    ])
    func `a random number chooses the wait within the spread`(
        spread: ClosedRange<Double>, chance: Double, wait: Duration
    ) {
        let backoff = Backoff(first: .seconds(10), maximum: .seconds(10), spread: spread)
        #expect(backoff.wait(after: 1, chance: chance) == wait)
        #expect(backoff.wait(after: 50, chance: chance) == wait)
    }
}
