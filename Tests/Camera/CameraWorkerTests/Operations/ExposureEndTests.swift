import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests of the worker's attempts to end an exposure that the camera refuses to end.
@Suite struct ExposureEndTests {
    private static let command = BulbCommand(durationMs: 2_000)
    private static let secondNs: UInt64 = 1_000_000_000
    /// The time of the first attempt.
    private static let endNs = 3 * secondNs

    private func canonBulb() throws -> CameraProfile.Toggle {
        let profiles = try KnowledgeBase.bundled().profiles
        let canon = try #require(profiles.first { $0.names.contains("Canon") }).profile
        return try #require(canon.bulb?.first)
    }

    /// Returns an exposure that started at 1 s and ends at 3 s.
    private func exposure() -> RunningOperation {
        var operation = RunningOperation(
            command: .bulb(Self.command), step: .open(untilNs: Self.endNs), beganNs: Self.secondNs,
            dueNs: Self.endNs)
        operation.end = operation.result
        return operation
    }

    /// Records refused attempts until the operation restores the settings.
    ///
    /// - Returns: The number of attempts.
    private func refuse(_ operation: inout RunningOperation, max: Int = .max) -> Int {
        var count = 0
        while case .open = operation.step, count < max {
            let now = operation.dueNs
            operation.recordEndTry(isEnded: false, askedNs: now, nowNs: now)
            count += 1
        }
        return count
    }

    @Test func `reports a possibly open shutter after ten seconds of attempts`() {
        var operation = exposure()
        #expect(refuse(&operation) == 1 + RunningOperation.endTriesMax)
        #expect(operation.end?.state == .failed)
        #expect(operation.end?.reason == OperationReasons.shutterMayBeOpen)
        #expect(operation.dueNs == Self.endNs + 10 * Self.secondNs)
        #expect(operation.done == 0 && operation.tries == 0)
    }

    @Test(arguments: [0, 1, RunningOperation.endTriesMax])
    func `waits for the photo if the camera closes its shutter after refusals`(refused: Int) {
        var operation = exposure()
        #expect(refuse(&operation, max: refused) == refused)
        let now = operation.dueNs
        operation.recordEndTry(isEnded: true, askedNs: now, nowNs: now)
        #expect(operation.end?.state == .ended && operation.end?.reason == nil)
        #expect(operation.expectedPhotos == 1 && operation.tries == 0)
        #expect(operation.tookMs == 2_000 + 50 * refused)
        guard case .restoring = operation.step else { return #expect(Bool(false), "\(operation.step)") }
    }

    @Test func `reports the reason of a refused start after the shutter has closed`() throws {
        var operation = RunningOperation.refusedExposure(
            Self.command, toggle: try canonBulb(), reason: "The camera was busy.", nowNs: Self.endNs)
        // The exposure has no result while the shutter may be open.
        #expect(operation.progress(nowNs: Self.endNs, wallMs: 0).state == .running)
        #expect(operation.toggle != nil && operation.dueNs > Self.endNs)
        operation.end = operation.result
        #expect(refuse(&operation, max: 3) == 3)
        operation.recordEndTry(isEnded: true, askedNs: operation.dueNs, nowNs: operation.dueNs)
        let progress = operation.progress(nowNs: operation.dueNs, wallMs: 0)
        #expect(progress.state == .failed && progress.reason == "The camera was busy.")
        #expect(progress.done == 0)
    }

    @Test func `does not wait for a photo if a person stops a refused start`() throws {
        var operation = RunningOperation.refusedExposure(
            Self.command, toggle: try canonBulb(), reason: "The camera was busy.", nowNs: Self.endNs)
        operation.end = (.stopped, OperationReasons.asked)
        #expect(operation.expectedPhotos == nil)
    }

    @Test func `closes the shutter with the usual retries after a refused start`() throws {
        var operation = RunningOperation.refusedExposure(
            Self.command, toggle: try canonBulb(), reason: "The camera was busy.", nowNs: Self.endNs)
        operation.end = operation.result
        // The worker has already tried once, directly after the refused start.
        #expect(refuse(&operation) == RunningOperation.endTriesMax)
        #expect(operation.end?.reason == OperationReasons.shutterMayBeOpen)
    }

    /// Each row contains the kind of operation, the number of accepted start settings, whether the
    /// camera was busy, and whether the shutter may be open.
    private static let refusals: [(CameraOperation.Kind, Int, Bool, Bool)] = [
        (.bulb, 0, true, true), (.bulb, 1, false, true), (.bulb, 1, true, true), (.bulb, 0, false, false),
        (.movie, 1, true, false), (.movie, 0, true, false),
    ]

    @Test(arguments: refusals)
    func `assumes an open shutter after a busy reply or accepted press for a bulb exposure`(
        kind: CameraOperation.Kind, accepted: Int, isBusy: Bool, isExposing: Bool
    ) {
        #expect(
            RunningOperation.mayBeExposing(kind, accepted: accepted, isBusy: isBusy) == isExposing)
    }
}
