import FrameFastModel
import Testing

@testable import CameraWorker

/// Tests of operations with a camera that reduces the noise of a long exposure with a dark frame.
@Suite struct NoiseReductionTests {
    private static let secondNs: UInt64 = 1_000_000_000
    private static let photo = CameraObject(folder: "/", name: "IMG_0001.CR3", size: 1, cameraTime: nil)

    /// Returns an operation that starts at 0 s.
    private func started(_ command: CameraOperation, step: RunningOperation.Step) -> RunningOperation {
        RunningOperation(command: command, step: step, beganNs: 0, dueNs: 0)
    }

    /// Returns a series of two photos. The camera starts to expose the first photo at 0 s.
    private func series(exposureNs: UInt64) -> RunningOperation {
        var operation = started(.bracket(BracketCommand(stops: [0, 1])), step: .shot)
        operation.done = 1
        operation.recordExposure(ns: exposureNs, nowNs: 0)
        return operation
    }

    /// Returns a bulb exposure from 0 s, which the camera ends at a time.
    private func bulb(endedAt endNs: UInt64) -> RunningOperation {
        var operation = started(.bulb(BulbCommand(durationMs: 1)), step: .open(untilNs: endNs))
        operation.recordEndTry(isEnded: true, askedNs: endNs, nowNs: endNs)
        return operation
    }

    @Test func `a series waits for noise reduction at most as long as the exposure`() {
        var operation = series(exposureNs: 30 * Self.secondNs)
        #expect(operation.dueNs > 30 * Self.secondNs && operation.dueNs < 31 * Self.secondNs)
        var (now, waits) = (operation.dueNs, 0)
        while operation.waitForNoiseReduction(nowNs: now) {
            #expect(operation.dueNs > now)
            (now, waits) = (operation.dueNs, waits + 1)
        }
        #expect(now >= 60 * Self.secondNs && now < 61 * Self.secondNs)
        #expect(waits < 30)
    }

    @Test func `a series continues when the photo of a long exposure is announced`() {
        var operation = series(exposureNs: 30 * Self.secondNs)
        operation.recordAnnouncement(of: Self.photo)
        let waits = operation.waitForNoiseReduction(nowNs: 31 * Self.secondNs)
        #expect(!waits)
    }

    /// The file of an earlier photo does not end an exposure early.
    @Test func `an announced photo ends the wait of a series, but not an exposure`() {
        var operation = series(exposureNs: 30 * Self.secondNs)
        operation.recordAnnouncement(of: Self.photo)
        #expect(operation.dueNs > 30 * Self.secondNs)
        operation = series(exposureNs: 30 * Self.secondNs)
        let waits = operation.waitForNoiseReduction(nowNs: operation.dueNs)
        #expect(waits && operation.dueNs > 33 * Self.secondNs)
        operation.recordAnnouncement(of: Self.photo)
        #expect(operation.dueNs == 0)
        operation.recordExposure(ns: 30 * Self.secondNs, nowNs: 31 * Self.secondNs)
        operation.recordAnnouncement(
            of: CameraObject(folder: "/", name: "IMG_0001.JPG", size: 1, cameraTime: nil))
        #expect(operation.dueNs > 61 * Self.secondNs)
    }

    @Test(arguments: [0, 8_000_000, RunningOperation.longExposureNs - 1])
    func `a series of short exposures does not wait`(exposureNs: UInt64) {
        var operation = series(exposureNs: exposureNs)
        let waits = operation.waitForNoiseReduction(nowNs: operation.dueNs)
        #expect(!waits)
    }

    /// The settings are restored until the camera announces the photo.
    @Test func `the end of a bulb exposure waits for noise reduction`() {
        var operation = bulb(endedAt: 60 * Self.secondNs)
        #expect(operation.mayReduceNoise(nowNs: 119 * Self.secondNs))
        #expect(!operation.mayReduceNoise(nowNs: 120 * Self.secondNs))
        let waits = operation.waitForNoiseReduction(nowNs: 61 * Self.secondNs)
        #expect(waits && operation.dueNs > 61 * Self.secondNs)
        operation.recordAnnouncement(of: Self.photo)
        #expect(operation.dueNs == 0)
        #expect(!operation.mayReduceNoise(nowNs: 61 * Self.secondNs))
    }

    @Test func `a short bulb exposure, a refused end and a movie have no noise reduction`() {
        #expect(!bulb(endedAt: Self.secondNs / 2).mayReduceNoise(nowNs: Self.secondNs / 2))
        var refused = started(.bulb(BulbCommand(durationMs: 1)), step: .open(untilNs: 0))
        refused.tries = RunningOperation.endTriesMax
        refused.recordEndTry(isEnded: false, askedNs: 60 * Self.secondNs, nowNs: 60 * Self.secondNs)
        #expect(!refused.mayReduceNoise(nowNs: 61 * Self.secondNs))
        var movie = started(.movie(MovieCommand()), step: .recording(untilNs: nil))
        movie.recordEndTry(isEnded: true, askedNs: 60 * Self.secondNs, nowNs: 60 * Self.secondNs)
        #expect(!movie.mayReduceNoise(nowNs: 61 * Self.secondNs))
    }
}
