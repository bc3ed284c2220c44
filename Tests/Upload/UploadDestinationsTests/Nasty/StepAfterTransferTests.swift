import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests that uploads repeat only the request that failed after the transfer.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(30)))
    struct StepAfterTransferTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: Tier.rows(NastySteps.all, gate: NastySteps.gate))
        func `repeats only the failed step after a transfer`(
            row: NastyServerTests.Case
        ) async throws {
            try await NastyServerTests.expectDelivery(row, in: scratch)
        }

        @Test(arguments: NastyServer.Kind.allCases)
        func `each feature that follows a transfer has a test case`(kind: NastyServer.Kind) {
            let used = Set(NastyFeatures.features(kind)).intersection(NastySteps.features)
            let exempt = NastySteps.exempt[kind] ?? []
            #expect(used.subtracting(exempt) == Set(NastySteps.steps(kind).compactMap(\.feature)))
            #expect(NastySteps.gate.count == 8)
        }
    }
}
