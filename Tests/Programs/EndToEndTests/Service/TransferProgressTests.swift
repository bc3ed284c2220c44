import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of transfer progress on the event stream, from a slow camera to a reader of the socket.
@Suite(.programs(2), .timeLimit(.minutes(30))) struct TransferProgressTests {
    /// The lowest number of progress events in the transfer. With four events a second, the transfer has
    /// about 48 events. A busy machine delivers fewer events.
    private static let progressEventsMin = 4

    @Test func `sends camera events with rising progress during a transfer only`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "12MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let (opened, sink) = AsyncStream<Void>.makeStream()
        let client = rig.client
        async let followed = Self.eventsUntilSession(client) { sink.yield() }
        for await _ in opened { break }
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        try await rig.status("the camera to be idle") {
            $0.cameras.first?.state == .ready && $0.cameras.first?.pending == 0
        }
        // The session's event is the last event that the reader reads.
        _ = try rig.client.call(\.sessions.start, .init(name: "End"))
        let cameras = try await followed.compactMap { event in
            if case .camera(let camera) = event.body { camera } else { nil }
        }

        let shot = try #require(try camera.truth().first)
        let transfers = cameras.compactMap(\.progress)
        #expect(transfers.allSatisfy { $0.originalName == shot.name && $0.totalBytes == Int64(shot.size) })
        let bytes = transfers.map(\.bytes)
        #expect(bytes == bytes.sorted())
        let between = Set(bytes.filter { $0 > 0 && $0 < Int64(shot.size) })
        #expect(between.count >= Self.progressEventsMin, "\(bytes) of \(shot.size)")
        #expect(cameras.allSatisfy { ($0.progress != nil) == ($0.state == .downloading) })
        let end = try #require(cameras.lastIndex { $0.progress != nil })
        #expect(!cameras[(end + 1)...].isEmpty)
        try await rig.stop()
    }

    /// Follows the stream until a session event, on a thread that may block.
    private static func eventsUntilSession(
        _ client: FrameFastClient, onOpen: @escaping @Sendable () -> Void
    ) async throws -> [EventReply] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var events: [EventReply] = []
                        try client.events { event throws(ClientError) in
                            do {
                                events.append(
                                    try WireCoder.decode(EventReply.self, from: Data(event.data.utf8)))
                            } catch { throw .invalidResponse("\(error)") }
                            if events.count == 1 { onOpen() }
                            if case .session = events.last?.body { return false }
                            return true
                        }
                        return events
                    })
            }
        }
    }
}
