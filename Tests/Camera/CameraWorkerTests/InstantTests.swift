import Testing

@testable import CameraWorker

/// Tests of times on the worker's monotonic clock, and of delays until these times.
@Suite struct InstantTests {
    @Test(
        arguments: [
            (-5, 0), (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (2_500_000_000, 2_500),
        ] as [(Int, Int32)])
    func `rounds the timeout of a wait up to whole milliseconds`(nanoseconds: Int, timeout: Int32) {
        #expect(Duration.nanoseconds(nanoseconds).pollTimeout == timeout)
    }

    @Test func `the delay until a time in the past is zero`() {
        let now = Instant.milliseconds(1_000)
        #expect(now.delay(until: .milliseconds(1_250)) == .milliseconds(250))
        #expect(now.delay(until: .milliseconds(999)) == .zero)
        #expect(now - Instant.milliseconds(400) == .milliseconds(600))
    }
}
