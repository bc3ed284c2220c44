import FrameFastAPI
import Logging
import SurfaceTestSupport
import Testing

@testable import APIServer

/// Tests of replies that fail after their head was sent.
@Suite struct ReplyFailureTests {
    private static let failure = ControlError(.internal, "cannot read the ledger")

    private static var surface: ScriptedControlSurface {
        let surface = ScriptedControlSurface { table in
            table.handle(\.shots.full) { _, _ throws(ControlError) in
                let read: @Sendable (Int, Int) async throws -> [UInt8] = { _, _ in throw Self.failure }
                return ShotPicture(revision: "00ff", requestedRevision: nil) { () throws(ControlError) in
                    ShotPicture.Content(revision: "00ff", body: .file(length: 4, read: read))
                }
            }
        }
        surface.change { $0.failure = Self.failure }
        return surface
    }

    @Test(arguments: ["/v1/events", "/v1/shots/7/full"])
    func `logs once why a reply ended early`(path: String) async throws {
        let lines = RecordedLines()
        let logger = Logger(label: "test") { _ in lines }
        try await RunningServer.run(surface: Self.surface, logger: logger) { server in
            _ = try await blocking {
                try RawSocket.exchange(
                    server.socketPath, "GET \(path) HTTP/1.1\r\nHost: f\r\nConnection: close\r\n\r\n")
            }
            let logged = lines.all.filter { $0.hasPrefix("a reply ended early") }
            #expect(logged.count == 1, "\(lines.all)")
            #expect(logged.allSatisfy { $0.contains(path) && $0.contains("cannot read the ledger") })
        }
    }
}
