import Logging
import SurfaceTestSupport
import Testing

@testable import APIServer

/// What HTTP's library may say in the service's log.
@Suite struct ServerLogTests {
    @Test func `the end of a service that is cancelled is no error`() async throws {
        let lines = RecordedLines()
        try await TemporaryDirectory.with { directory in
            let (listening, continuation) = AsyncStream.makeStream(of: Void.self)
            let service = APIService(
                options: .init(
                    socketPath: directory + "/f.sock", policy: .ofThisProcess(isStatusPublic: false)),
                surface: ScriptedControlSurface(), hub: EventHub(),
                logger: Logger(label: "test") { _ in lines }
            ) { continuation.yield() }
            await withTaskGroup { group in
                group.addTask { try? await service.run() }
                for await _ in listening { break }
                group.cancelAll()
            }
        }
        #expect(lines.all == [])
    }

    @Test func `a connection is no news, and an error of the library is`() {
        let lines = RecordedLines()
        let log = Logger(label: "test") { _ in lines }.ofServer
        log.info("Server started and listening")
        log.debug("Unhandled error")
        log.warning("Waiting on child channel: too many open files")
        log.error("Waiting on child channel: \(CancellationError())")
        log.error("Server shutdown error")
        #expect(lines.all == ["Waiting on child channel: too many open files", "Server shutdown error"])
    }
}
