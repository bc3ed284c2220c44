import APIClient
import Foundation
import FrameFastAPI
import Logging
import ServiceLifecycle
import SurfaceTestSupport
import Testing

@testable import APIServer

@Suite struct StreamTests {
    private func decode(_ event: ServerSentEvent) throws(ClientError) -> EventReply {
        do { return try WireCoder.decode(EventReply.self, from: Data(event.data.utf8)) } catch {
            throw .invalidResponse("\(error)")
        }
    }

    @Test func `event stream starts with a snapshot, then sends numbered changes`() async throws {
        try await RunningServer.run { server in
            server.hub.publish(.state(Word(.starting)))
            let client = FrameFastClient(socketPath: server.socketPath)
            let events = try await blocking {
                var events: [(ServerSentEvent, EventReply)] = []
                try client.events { event throws(ClientError) in
                    events.append((event, try decode(event)))
                    if events.count == 1 {
                        (0..<3).forEach { server.hub.publish(.cameraRemoved(CameraID(rawValue: "\($0)"))) }
                    }
                    return events.count < 4
                }
                return events
            }
            #expect(events.map(\.1.seq) == [1, 2, 3, 4])
            #expect(events.map(\.0.id) == ["1", "2", "3", "4"])
            #expect(
                events.map(\.0.name) == ["snapshot", "camera_removed", "camera_removed", "camera_removed"])
            #expect(events.first?.1.body == .snapshot(Samples.status))
        }
    }

    @Test func `slow reader receives resync and then a snapshot`() async throws {
        try await RunningServer.run { server in
            let client = FrameFastClient(socketPath: server.socketPath)
            // The events exceed the combined size of the socket buffers and the backlog.
            let long = String(repeating: "x", count: 10_000)
            let (kinds, last) = try await blocking {
                var kinds: [String] = []
                var last: EventReply?
                try client.events { event throws(ClientError) in
                    kinds.append(event.name)
                    last = try decode(event)
                    if kinds.count == 1 {
                        (0..<5000).forEach { _ in server.hub.publish(.cameraRemoved(CameraID(rawValue: long)))
                        }
                    }
                    return !(event.name == "snapshot" && kinds.count > 1)
                }
                return (kinds, last)
            }
            #expect(kinds.suffix(2) == ["resync", "snapshot"])
            #expect(kinds.count < 5000)
            #expect((last?.seq ?? 0) > UInt64(kinds.count))
        }
    }

    @Test func `refuses an event stream when too many are open`() async throws {
        try await RunningServer.run { server in
            let leases = (0..<EventHub.readersMax).compactMap { _ in server.hub.lease() }
            let client = FrameFastClient(socketPath: server.socketPath)
            let error = await #expect(throws: ClientError.self) {
                try await blocking { try client.events { _ in true } }
            }
            guard case .refused(let detail) = error else {
                Issue.record("not refused: \(String(describing: error))")
                return
            }
            #expect(detail.code == .unavailable)
            #expect(leases.count == EventHub.readersMax)
        }
    }

    @Test func `graceful stop ends open event streams immediately`() async throws {
        try await TemporaryDirectory.with { directory in
            let server = RunningServer(socketPath: directory + "/f.sock")
            let (listening, continuation) = AsyncStream.makeStream(of: Void.self)
            let service = server.service(policy: .ofThisProcess(isStatusPublic: false)) {
                continuation.yield()
            }
            let group = ServiceGroup(services: [service], logger: RunningServer.silence)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                for await _ in listening { break }
                let client = FrameFastClient(socketPath: server.socketPath)
                let (opened, opening) = AsyncStream.makeStream(of: Void.self)
                async let stream: Void = blocking {
                    try client.events { _ in
                        opening.yield()
                        return true
                    }
                }
                for await _ in opened { break }
                await group.triggerGracefulShutdown()
                try await stream
                try await tasks.waitForAll()
            }
        }
    }
}
