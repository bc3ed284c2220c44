import FrameFastModel
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of a destination's transfer plan, which all uploads share.
@Suite struct TransferPlansTests {
    /// The numbers of the uploads that reported activity.
    private final class ActiveUploads: Sendable {
        private let numbers = Mutex<Set<Int>>([])

        var count: Int { numbers.withLock { $0.count } }

        func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    }

    @Test func `cancels a trial when the last waiting upload is cancelled`() async {
        let plans = TransferPlans()
        let upload = Task { () -> UploadFailure.Kind? in
            do throws(UploadFailure) {
                _ = try await plans.plan { () throws(UploadFailure) in
                    try? await Task.sleep(for: .seconds(600))
                    throw .stopped
                }
                return nil
            } catch { return error.kind }
        }
        upload.cancel()
        #expect(await upload.value == .cancelled)
    }

    @Test func `reports the activity of a trial to all waiting uploads`() async throws {
        let plans = TransferPlans()
        let active = ActiveUploads()
        let uploads = (1...3).map { number in
            Task {
                let activity = UploadActivity { active.insert(number) }
                await UploadActivity.$current.withValue(activity) {
                    do throws(UploadFailure) {
                        _ = try await plans.plan { () throws(UploadFailure) in
                            while !Task.isCancelled {
                                UploadActivity.current.report()
                                try? await Task.sleep(for: .milliseconds(1))
                            }
                            throw .stopped
                        }
                    } catch {}
                }
            }
        }
        defer { for upload in uploads { upload.cancel() } }
        _ = try await eventually("reports of each upload") {
            active.count == 3 ? true : nil
        }
    }

    /// The server stops returning files. A new trial then finds a different plan, but the name of the
    /// upload stays the same.
    @Test(arguments: UploadStep.allCases)
    func `uploads again with a new plan only if the transfer was not complete`(step: UploadStep) async {
        let plans = TransferPlans()
        let found = Mutex([TransferPlan(), TransferPlan(refused: [.readBack])])
        let attempts = Mutex(0)
        do throws(UploadFailure) {
            _ = try await plans.upload { () throws(UploadFailure) in
                found.withLock { $0.removeFirst() }
            } _: { plan throws(UploadFailure) in
                attempts.withLock { $0 += 1 }
                guard plan.refused.isEmpty else {
                    return UploadReceipt(remoteName: "a.JPG", proof: .size, evidence: "")
                }
                throw UploadFailure(.permanent(.forbidden), "It says no.", step: step)
            }
        } catch { #expect(error.kind == .transient && error.step == step) }
        #expect(attempts.withLock(\.self) == (step.comesAfterTransfer ? 1 : 2))
    }
}
