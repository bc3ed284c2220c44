import FrameFastSystem
import Testing

@Suite struct SleepDetectorTests {
    @Test(
        arguments: [
            // The sleep between two measurements, in seconds, and the reported sleep.
            (0.0, nil), (0.1, nil), (-0.1, nil), (4.9, nil), (5, 5), (28_800, 28_800),
        ] as [(Double, Double?)])
    func `reports a sleep of five seconds or more once`(slept: Double, reported: Double?) {
        var detector = SleepDetector(sleptSeconds: 1_000)
        let first = detector.measureSleep(upTo: 1_000 + slept)
        let second = detector.measureSleep(upTo: 1_000 + slept)
        #expect(first == reported && second == nil)
    }

    @Test func `short sleeps do not add up`() {
        var detector = SleepDetector(sleptSeconds: 0)
        for count in 1...10 {
            let reported = detector.measureSleep(upTo: Double(count) * 4)
            #expect(reported == nil)
        }
        let reported = detector.measureSleep(upTo: 50)
        #expect(reported == 10)
    }

    @Test func `the slept time does not change while the computer is awake`() {
        let before = HostClock.system.slept()
        #expect(before >= 0)
        // Each reading has an error of at most 0.1 s. The test fails if the computer sleeps between the
        // readings.
        #expect(abs(HostClock.system.slept() - before) < SleepDetector.leastSeconds)
    }
}
