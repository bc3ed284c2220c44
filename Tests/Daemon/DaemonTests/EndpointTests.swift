import FrameFastAPI
import TestRig
import Testing

@testable import APIServer
@testable import FrameFastDaemon

@Suite(.blocking) struct EndpointTests {
    @Test func `the service has a handler for every endpoint`() async throws {
        let service = try await ScriptedService()
        #expect(APIResponder.table(of: service.control, hub: service.parts.hub).missing == [])
    }
}
