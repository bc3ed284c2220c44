import FrameFastSystem
import Synchronization
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests that a single outage during a trial does not count as a refusal.
@Suite struct TrialOutageTests {
    private typealias Server = FeatureTrialTests.ScriptedServer

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Refusal.outage, .dropped])
    func `keeps a feature after one temporary failure`(refusal: FeatureTrialTests.ScriptedServer.Refusal)
        async throws
    {
        for (feature, refuses, _) in FeatureTrialTests.features {
            let count = Mutex(0)
            let server = FeatureTrialTests.ScriptedServer(refusal) { step, name in
                guard refuses(step, name) else { return false }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1
            }
            let memory = DestinationMemory()
            let plan = try await FeatureTrial(
                server: server, memory: memory, item: FeatureTrialTests.item, clock: SkippedPauses().clock
            )
            .run(testsTaken: true)
            #expect(plan.temporaryName == .hidden && plan.refusesTaken, "\(feature)")
            #expect(memory.offers(feature) && count.withLock { $0 } > 1, "\(feature)")
            #expect(server.files.withLock { $0 } == [], "\(feature)")
        }
    }

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Refusal.outage, .dropped])
    func `keeps the rename feature after a lost response`(
        refusal: FeatureTrialTests.ScriptedServer.Refusal
    ) async throws {
        let server = Server(refusal, lostRenames: 1) { _, _ in false }
        let memory = DestinationMemory()
        let pauses = SkippedPauses()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, clock: pauses.clock
        ).run(testsTaken: true)
        #expect(pauses.seconds == [1])
        #expect(plan == TransferPlan(temporaryName: .hidden, refusesTaken: true))
        #expect(memory.offers(.rename) && server.files.withLock { $0 } == [])
    }

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Refusal.outage, .dropped])
    func `completes the trial if read-back, replacement and removal lose the connection`(
        refusal: FeatureTrialTests.ScriptedServer.Refusal
    ) async throws {
        let stored = Mutex<Set<String>>([])
        let server = Server(refusal) { step, name in
            switch step {
            case .remove, .readBack: true
            case .send: stored.withLock { !$0.insert(name).inserted }
            default: false
            }
        }
        let memory = DestinationMemory()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, clock: SkippedPauses().clock
        ).run(testsTaken: false)
        #expect(plan.temporaryName == .hidden && memory.offers(.rename))
        #expect(!memory.offers(.readBack), "a feature that is refused")
    }

    @Test func `cancels a hanging removal two seconds after the trial`() async {
        let pauses = SkippedPauses()
        let started = AsyncEvent()
        let trial = Task {
            await TrialRemoval.run(clock: pauses.clock) {
                started.signal()
                try? await Task.sleep(for: .seconds(600))
            }
        }
        await started.wait()
        trial.cancel()
        await trial.value
        #expect(pauses.seconds == [2])
    }

    @Test func `keeps the remove feature when the second trial file never existed`() async throws {
        // Servers without a status for a missing file respond with "forbidden".
        let server = Server(.forbidden) { step, name in
            step == .rename || step == .remove && name.contains("-2")
        }
        let memory = DestinationMemory()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, clock: SkippedPauses().clock
        ).run(testsTaken: true)
        #expect(plan.temporaryName == .final && memory.offers(.remove))
    }

    @Test(arguments: [UploadFailure.Kind.outage(retryAfterSeconds: nil), .transient])
    func `keeps header features after an outage at the first file`(kind: UploadFailure.Kind) async throws {
        let memory = DestinationMemory()
        let count = Mutex(0)
        let trial = HeaderTrial(memory: memory, headers: [.checksumHeader, .md5Header])
        let name = try await trial.run(["a"]) { _, _ throws(UploadFailure) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { throw UploadFailure(kind, "It broke.") }
        }
        #expect(name == "a" && memory.offers(.checksumHeader) && memory.offers(.md5Header))
    }
}
