import APIClient
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

@testable import APIServer

/// Tests of live view on the socket.
@Suite struct PictureTests {
    /// A camera double that counts the frames requested by each stream.
    private final class FrameCounter: Sendable {
        let asked = Mutex<[CameraReference: Int]>([:])

        func requests(of camera: CameraReference) -> Int { asked.withLock { $0[camera] ?? 0 } }

        func surface(bytes: Int) -> ScriptedControlSurface {
            ScriptedControlSurface { [self] table in
                table.handle(\.cameras.livePictures) {
                    (camera, _) async throws(ControlError) -> LivePictures in
                    let picture = LivePicture(jpeg: Data(repeating: 7, count: bytes))
                    return LivePictures(first: picture) { () throws(ControlError) in
                        self.asked.withLock { $0[camera, default: 0] += 1 }
                        return picture
                    }
                }
            }
        }
    }

    @Test func `the end of live view reaches the client as an error`() async throws {
        let surface = ScriptedControlSurface { table in
            table.handle(\.cameras.livePictures) { (_, _) async throws(ControlError) -> LivePictures in
                LivePictures(first: LivePicture(jpeg: Data([7]))) { () throws(ControlError) in
                    throw ControlError(.cameraFailed, "cannot show “é”:\nit is too warm", nextStep: "Wait.")
                }
            }
        }
        try await RunningServer.run(surface: surface) { server in
            let (frames, error) = try await blocking {
                var frames = 0
                do throws(ClientError) {
                    let client = FrameFastClient(socketPath: server.socketPath)
                    try client.pictures(of: "studio", LiveViewRequest()) { _ in
                        frames += 1
                        return true
                    }
                    return (frames, ClientError?.none)
                } catch { return (frames, error) }
            }
            #expect(frames == 1)
            guard case .refused(let detail) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(detail.code == .cameraFailed && detail.message == "cannot show “é”:\nit is too warm")
            #expect(detail.nextStep == "Wait.")
        }
    }

    @Test func `a stalled live view client does not block other clients`() async throws {
        let counter = FrameCounter()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        try await RunningServer.run(surface: counter.surface(bytes: 200_000)) { server in
            let isOver = DispatchSemaphore(value: 0)
            let slow = Task.detached {
                try await blocking {
                    let client = FrameFastClient(socketPath: server.socketPath)
                    try client.pictures(of: "slow", LiveViewRequest()) { _ in
                        begin.yield()
                        isOver.wait()
                        return false
                    }
                }
            }
            for await _ in begun { break }
            // When the buffers are full, the server requests no further frame for the stalled client.
            var hasStalled = false
            for _ in 1...20 where !hasStalled {
                let asked = counter.requests(of: "slow")
                let read = try await blocking {
                    var count = 0
                    let client = FrameFastClient(socketPath: server.socketPath)
                    try client.pictures(of: "quick", LiveViewRequest()) { _ in
                        count += 1
                        return count < 300
                    }
                    return count
                }
                #expect(read == 300)
                hasStalled = counter.requests(of: "slow") == asked
            }
            #expect(hasStalled, "the server requested frames for a client that reads none")
            // The load does not change the size of the buffers.
            #expect(counter.requests(of: "slow") < 100, "more frames were requested than the buffers hold")
            isOver.signal()
            _ = await slow.result
        }
    }
}
