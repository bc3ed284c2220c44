import ServiceLifecycle
import Testing

@testable import FrameFastDaemon

@Suite struct NamedServiceTests {
    private struct TestService: Service {
        let secret = "0123456789"
        func run() async throws {}
    }

    @Test func `logs a service by its type name without its contents`() {
        let configuration = ServiceGroupConfiguration.ServiceConfiguration(
            service: NamedService(TestService()))
        #expect("\(NamedService(TestService()))" == "TestService")
        #expect("\(configuration.service)" == "TestService")
    }
}
