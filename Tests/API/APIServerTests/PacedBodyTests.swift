import Foundation
import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization
import Testing

@testable import APIServer

/// Tests of the order in which the parts of a body are produced and written.
@Suite struct PacedBodyTests {
    private enum Step: Hashable {
        case produce, write, waitForWrites, waitForSpace, finish
    }

    private final class StepLog: Sendable {
        private let log = Mutex<[Step]>([])
        var steps: [Step] { log.withLock { $0 } }
        func append(_ step: Step) { log.withLock { $0.append(step) } }
    }

    private struct RecordingWriter: ResponseBodyWriter {
        let log: StepLog

        mutating func write(_ buffer: ByteBuffer) async throws {
            log.append(buffer.readableBytes == 0 ? .waitForSpace : .write)
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws { log.append(.finish) }
    }

    private static let sent: [Step] = [.write, .waitForWrites, .waitForSpace]
    /// The steps of one part of a body.
    private static let part: [Step] = [.produce] + sent

    private func record(_ body: (StepLog) async throws -> ResponseBody) async throws -> [Step] {
        let log = StepLog()
        let paced = try await body(log).paced { log.append(.waitForWrites) }
        try await paced.write(RecordingWriter(log: log))
        return log.steps
    }

    @Test func `live view requests a frame after the previous frame was sent`() async throws {
        let steps = try await record { log in
            let picture = LivePicture(jpeg: Data([7]))
            let pictures = LivePictures(first: picture) { () throws(ControlError) in
                log.append(.produce)
                guard log.steps.count < 10 else { throw ControlError(.conflict, "live view has ended") }
                return picture
            }
            return Response.pictures(pictures).body
        }
        #expect(steps == Self.sent + Self.part + Self.part + [.produce, .finish])
    }

    @Test func `a file is read after its previous part was sent`() async throws {
        let length = 600_000
        let steps = try await record { log in
            let read: @Sendable (Int, Int) async throws -> [UInt8] = { _, countMax in
                log.append(.produce)
                return [UInt8](repeating: 7, count: countMax)
            }
            let picture = ShotPicture(revision: "00ff", requestedRevision: nil) { () throws(ControlError) in
                ShotPicture.Content(revision: "00ff", body: .file(length: length, read: read))
            }
            return try await Response.shotPicture(picture, to: [:]).body
        }
        #expect(steps == Self.part + Self.part + Self.part + [.finish])
    }

    @Test func `an event is encoded after the snapshot was sent`() async throws {
        let hub = EventHub()
        let lease = try #require(hub.lease())
        hub.publish(.resync)
        lease.reader.finish()
        let steps = try await record { log in
            let json: @Sendable (EventReply) -> Data = { _ in
                log.append(.produce)
                return Data("{}".utf8)
            }
            return EventStream(hub: hub, content: .init(snapshot: json, change: json)).response(lease).body
        }
        #expect(steps == Self.part + Self.part + [.finish])
    }

    @Test func `a small reply is written without waiting`() async throws {
        let steps = try await record { _ in ResponseBody(byteBuffer: ByteBuffer(bytes: [7])) }
        #expect(steps == [.write, .finish])
    }
}
