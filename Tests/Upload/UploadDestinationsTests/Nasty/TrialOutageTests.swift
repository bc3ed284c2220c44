import Synchronization
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Outages in the trial of a server: what happens once is no refusal.
@Suite struct TrialOutageTests {
    private typealias Server = FeatureTrialTests.ScriptedServer

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Way.trouble, .dropped])
    func `trouble that comes once is no refusal of a feature`(way: FeatureTrialTests.ScriptedServer.Way)
        async throws
    {
        for (feature, refuses, _) in FeatureTrialTests.features {
            let count = Mutex(0)
            let server = FeatureTrialTests.ScriptedServer(way) { step, name in
                guard refuses(step, name) else { return false }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1
            }
            let memory = DestinationMemory()
            let plan = try await FeatureTrial(
                server: server, memory: memory, item: FeatureTrialTests.item, pause: .zero
            )
            .run(testsTaken: true)
            #expect(plan.temporaryName == .hidden && plan.refusesTaken, "\(feature)")
            #expect(memory.offers(feature) && count.withLock { $0 } > 1, "\(feature)")
            #expect(server.files.withLock { $0 } == [], "\(feature)")
        }
    }

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Way.trouble, .dropped])
    func `a rename whose answer is lost is no refusal of renames`(
        way: FeatureTrialTests.ScriptedServer.Way
    ) async throws {
        let server = Server(way, lostRenames: 1) { _, _ in false }
        let memory = DestinationMemory()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, pause: .zero
        ).run(testsTaken: true)
        #expect(plan == TransferPlan(temporaryName: .hidden, refusesTaken: true))
        #expect(memory.offers(.rename) && server.files.withLock { $0 } == [])
    }

    @Test(arguments: [FeatureTrialTests.ScriptedServer.Way.trouble, .dropped])
    func `a server that ends the connection at replacing and removing a file is tried out`(
        way: FeatureTrialTests.ScriptedServer.Way
    ) async throws {
        let stored = Mutex<Set<String>>([])
        let server = Server(way) { step, name in
            switch step {
            case .remove, .readBack: true
            case .send: stored.withLock { !$0.insert(name).inserted }
            default: false
            }
        }
        let memory = DestinationMemory()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, pause: .zero
        ).run(testsTaken: false)
        #expect(plan.temporaryName == .hidden && memory.offers(.rename))
        #expect(!memory.offers(.readBack), "a feature that is refused")
    }

    @Test func `a second file that was never made says nothing of the right to remove`() async throws {
        // Servers without a status for a file that is not there say "forbidden".
        let server = Server(.forbidden) { step, name in
            step == .rename || step == .remove && name.contains("-2")
        }
        let memory = DestinationMemory()
        let plan = try await FeatureTrial(
            server: server, memory: memory, item: FeatureTrialTests.item, pause: .zero
        ).run(testsTaken: true)
        #expect(plan.temporaryName == .final && memory.offers(.remove))
    }

    @Test(arguments: [UploadFailure.Kind.outage(retryAfterSeconds: nil), .transient])
    func `an outage at the first file is no refusal of headers`(kind: UploadFailure.Kind) async throws {
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
