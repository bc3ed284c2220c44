import FrameFastAPI
import TestRig
import Testing

@testable import APIServer
@testable import FrameFastDaemon

@Suite(.blocking) struct EndpointTests {
    @Test func `every endpoint has an answer in the service`() async throws {
        let service = try await ScriptedService()
        #expect(APIResponder.table(of: service.control, hub: service.parts.hub).missing == [])
    }
}
