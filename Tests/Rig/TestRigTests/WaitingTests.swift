import Testing

@testable import TestRig

@Suite struct WaitingTests {
    @Test(arguments: [
        (elapsed: 0.05, waited: 0.0, lived: 0.05),
        (0.05, 0.025, 0.025),
        // A task waits for a processor the whole time. One fifth of the time is added.
        (0.05, 0.05, 0.01),
        // The clock and the kernel's counter are read at different moments.
        (0.05, 0.06, 0.01),
        (0.05, -0.01, 0.05),
        // The test process was stopped for ten seconds.
        (10, 0, 0.1),
        (10, 10, 0.02),
    ])
    func `a beat counts the time without a waiting task, at least a fifth`(_ row: (Double, Double, Double)) {
        #expect(abs(LivedTime.countedTime(elapsed: row.0, waited: row.1, isPoolFree: true) - row.2) < 1e-9)
    }

    @Test func `a beat counts only a fifth while Swift's thread pool is busy`() {
        #expect(
            LivedTime.countedTime(elapsed: 0.05, waited: 0, isPoolFree: false) == 0.05 * LivedTime.shareMin)
    }

    @Test func `reads the total of CPU pressure in seconds`() {
        let text = """
            some avg10=0.14 avg60=1.14 avg300=0.73 total=3996799
            full avg10=0.00 avg60=0.00 avg300=0.00 total=7

            """
        #expect(LivedTime.total(inPressure: text) == 3.996799)
        #expect(LivedTime.total(inPressure: "") == 0)
    }

    @Test func `lived time advances`() async throws {
        let began = LivedTime.now
        try await eventually("a beat") { LivedTime.now > began ? () : nil }
    }

    @Test func `eventually polls even if its deadline has passed`() async throws {
        let value = try await eventually("a value", within: 0) { 7 }
        #expect(value == 7)
    }

    @Test func `eventually polls until it receives a value`() async throws {
        var looks = 0
        let value = try await eventually("the third poll", every: 1) { () -> Int? in
            looks += 1
            return looks < 3 ? nil : looks
        }
        #expect(value == 3)
    }

    @Test func `a timed-out wait reports its polls and its event`() async throws {
        var looks = 0
        let error = try await #require(throws: WaitTimeout.self) {
            _ = try await eventually("a photo", within: 0.05, every: 1) { () -> Int? in
                looks += 1
                return nil
            }
        }
        #expect(error.description.contains("polled \(looks) times, for a photo"))
    }
}
