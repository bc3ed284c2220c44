import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// A request that fails when the bytes are at the server is repeated alone.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(30)))
    struct StepAfterTransferTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: Tier.rows(NastySteps.all, gate: NastySteps.gate))
        func `sends no photo again when a step after the transfer fails`(
            row: NastyServerTests.Case
        ) async throws {
            try await NastyServerTests.expectDelivery(row, in: scratch)
        }

        @Test(arguments: NastyServer.Kind.allCases)
        func `each feature that is used after the transfer has a row`(kind: NastyServer.Kind) {
            let used = Set(NastyFeatures.features(kind)).intersection(NastySteps.features)
            let exempt = NastySteps.exempt[kind] ?? []
            #expect(used.subtracting(exempt) == Set(NastySteps.steps(kind).compactMap(\.feature)))
            #expect(NastySteps.gate.count == 8)
        }
    }
}
