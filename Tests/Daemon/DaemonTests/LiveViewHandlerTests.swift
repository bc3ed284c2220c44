import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of live view: viewers, requests to the camera, and the end of a stream.
@Suite(.blocking) struct LiveViewHandlerTests {
    /// Returns data with a JPEG's start and end markers. The third byte is the number of the frame.
    private static func jpeg(_ number: Int) -> Data {
        Data([0xFF, 0xD8, UInt8(truncatingIfNeeded: number), 0xFF, 0xD9])
    }

    private static func number(_ picture: LivePicture?) -> UInt8? { picture?.jpeg.dropFirst(2).first }

    private static let fast = LiveViewRequest(rate: LiveViewRequest.rateRange.upperBound)

    @Test func `requests a frame only when a viewer waits for it`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        body.worker.shows { number throws(WorkerFailure) in Self.jpeg(number) }
        try await ScriptedService().running(with: [body], photos: 0) { control in
            let pictures = try await control.liveView.pictures("left", Self.fast)
            #expect(Self.number(pictures.first) == 1)
            #expect(body.worker.frames == 1)
            #expect(Self.number(try await pictures.next()) == 2)
            #expect(Self.number(try await pictures.next()) == 3)
            #expect(body.worker.frames == 3)
        }
    }

    @Test func `two viewers share frames, each requested once`() async throws {
        try await Self.withVirtualTime { live, clock, worker in
            let left = try await live.pictures("left", Self.slow)
            let right = try await live.pictures("test-t-1", Self.slow)
            #expect(Self.number(left.first) == 1 && Self.number(right.first) == 1)
            for number in 2...21 {
                // Both viewers are due for a frame. The second viewer waits for the first viewer's request,
                // or receives its frame if the request has already ended.
                clock.advance(by: .seconds(1))
                async let first = left.next()
                async let second = right.next()
                let seen = [Self.number(try await first), Self.number(try await second)]
                #expect(seen == [UInt8(number), UInt8(number)])
            }
            #expect(worker.frames == 21)
        }
    }

    @Test func `a slow viewer neither blocks other viewers nor queues frames`() async throws {
        try await Self.withVirtualTime { live, clock, worker in
            let idle = try await live.pictures("left", Self.fast)
            let reader = try await live.pictures("left", Self.fast)
            for number in 2...21 {
                clock.advance(by: .milliseconds(100))
                #expect(Self.number(try await reader.next()) == UInt8(number))
            }
            // The idle viewer receives only the last of its unread frames.
            #expect(Self.number(try await idle.next()) == 21)
            #expect(worker.frames == 21)
        }
    }

    /// Calls `body` with live view of a camera on virtual time.
    private static func withVirtualTime(
        _ body: (LiveViewHandler, VirtualClock, ScriptedWorker) async throws -> Void
    ) async throws {
        let camera = CameraHandlerTests.body(1, "left", photos: 0)
        camera.worker.shows { number throws(WorkerFailure) in Self.jpeg(number) }
        let service = try await ScriptedService()
        try await service.running(with: [camera], photos: 0) { control in
            let clock = VirtualClock()
            let live = LiveViewHandler(lookup: control.cameras.lookup, clock: clock.hostClock)
            try await body(live, clock, camera.worker)
        }
    }

    /// A request for one frame per second.
    private static let slow = LiveViewRequest(rate: LiveViewRequest.rateRange.lowerBound)

    @Test func `ends only the stream of a viewer ten seconds behind`() async throws {
        try await Self.withVirtualTime { live, clock, _ in
            let (slow, reader) = (
                try await live.pictures("left", Self.slow), try await live.pictures("left", Self.slow)
            )
            let late = try await live.pictures("left", Self.slow)
            for _ in 0..<10 {
                clock.advance(by: .seconds(1))
                _ = try await reader.next()
            }
            // The second frame was due nine seconds ago.
            #expect(Self.number(try await late.next()) != nil)
            clock.advance(by: .seconds(1))
            let error = await #expect(throws: ControlError.self) { try await slow.next() }
            #expect(error?.code == .conflict)
            #expect(error?.message == "live view of 'left' has ended: the viewer was too slow")
            #expect(error?.nextStep == "Start live view again.")
            _ = try await reader.next()
            _ = try await late.next()
        }
    }

    @Test func `ends a stream after half an hour and allows a new stream`() async throws {
        try await Self.withVirtualTime { live, clock, _ in
            let pictures = try await live.pictures("left", Self.slow)
            for _ in 1..<200 {
                clock.advance(by: .seconds(9))
                _ = try await pictures.next()
            }
            let later = try await live.pictures("left", Self.slow)
            clock.advance(by: .seconds(9))
            let error = await #expect(throws: ControlError.self) { try await pictures.next() }
            #expect(error?.code == .conflict)
            #expect(
                error?.message == "live view of 'left' has ended: a stream is limited to half an hour")
            #expect(error?.nextStep == "Start live view again.")
            _ = try await later.next()
            #expect(Self.number(try await live.picture("left", LiveViewRequest())) != nil)
        }
    }

    @Test func `a camera error ends the stream, and live view can restart`() async throws {
        let body = CameraHandlerTests.body(1, "left", photos: 0)
        body.worker.shows { number throws(WorkerFailure) in
            guard number != 2 else {
                throw WorkerFailure(kind: .refused, during: "live view", text: "it is too hot")
            }
            return Self.jpeg(number)
        }
        try await ScriptedService().running(with: [body], photos: 0) { control in
            let pictures = try await control.liveView.pictures("left", Self.fast)
            let error = await #expect(throws: ControlError.self) { try await pictures.next() }
            #expect(error?.message == "cannot show live view of 'left': it is too hot")
            #expect(error?.nextStep?.contains("cool down") == true)
            #expect(Self.number(try await control.liveView.picture("left", LiveViewRequest())) == 3)
        }
    }

    @Test func `refuses live view of a busy, an unsupported or an unknown camera`() async throws {
        let (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0), CameraHandlerTests.body(2, "right", photos: 0)
        )
        left.worker.shows { _ throws(WorkerFailure) in
            throw WorkerFailure(
                kind: .occupied, during: "live view", text: CameraOperation.Kind.interval.rawValue)
        }
        try await ScriptedService().running(with: [left, right], photos: 0) { control in
            let busy = await #expect(throws: ControlError.self) {
                try await control.liveView.picture("left", LiveViewRequest())
            }
            #expect(busy?.code == .conflict)
            #expect(busy?.message == "cannot show live view of 'left': the camera is busy with an interval")
            let unable = await #expect(throws: ControlError.self) {
                try await control.liveView.pictures("right", LiveViewRequest())
            }
            #expect(unable?.code == .unsupported)
            let unknown = await #expect(throws: ControlError.self) {
                try await control.liveView.picture("middle", LiveViewRequest())
            }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test(arguments: ["huge", ""])
    func `refuses an invalid live view size`(size: String) {
        #expect(throws: ControlError.self) { try LiveViewRequest(size: size).checked() }
        #expect(throws: Never.self) { try LiveViewRequest(size: "small").checked() }
    }
}
