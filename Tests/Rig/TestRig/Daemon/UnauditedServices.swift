import Synchronization
import Testing

/// A counter of the services in a test case whose photos were not audited.
final class UnauditedServices: Sendable {
    /// The counter of the running test case, or `nil` outside a test case with programs.
    @TaskLocal static var ofTestCase: UnauditedServices?

    private let count = Mutex(0)

    /// Records that a rig was released while its service was running.
    func add() { count.withLock { $0 += 1 } }

    /// Runs a test case, and records an issue if the case ended without an audit of a service. Ignores a case
    /// that throws an error, because the case has failed.
    static func check(_ function: () async throws -> Void) async throws {
        let services = UnauditedServices()
        try await Self.$ofTestCase.withValue(services) { try await function() }
        let count = services.count.withLock(\.self)
        guard count > 0 else { return }
        Issue.record("\(count) service(s) still ran: end them with stop() or kill(), which audit the photos")
    }
}
