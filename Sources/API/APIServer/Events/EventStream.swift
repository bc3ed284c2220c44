import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import NIOCore

/// `GET /v1/events`: a snapshot, then numbered changes, as server-sent events.
struct EventStream: Sendable {
    let surface: any ControlSurface
    let hub: EventHub

    func response() throws(ControlError) -> Response {
        guard let lease = hub.lease() else {
            throw ControlError(
                .unavailable, "cannot open another event stream: \(EventHub.readersMax) are open",
                nextStep: "Close a status bar or a script that follows events, then try again.")
        }
        let body = ResponseBody { writer in
            try await send(from: lease.reader, to: &writer)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    private func send(from reader: EventReader, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(snapshot())
        while let item = await reader.next() {
            switch item {
            case .events(let events):
                var buffer = ByteBuffer()
                for event in events { try buffer.writeEvent(event) }
                try await writer.write(buffer)
            case .overflowed:
                var buffer = ByteBuffer()
                try buffer.writeEvent(hub.eventWithLastSeq(.resync))
                try await writer.write(buffer)
                try await writer.write(snapshot())
            case .heartbeat:
                try await writer.write(ByteBuffer(string: ": heartbeat\n\n"))
            }
        }
    }

    /// Returns a snapshot event. Reads the event number before the status. A change between the two reads is
    /// sent twice, which is harmless.
    private func snapshot() async throws -> ByteBuffer {
        var event = hub.eventWithLastSeq(.resync)
        event.body = .snapshot(try await surface.status())
        var buffer = ByteBuffer()
        try buffer.writeEvent(event)
        return buffer
    }
}

extension ByteBuffer {
    /// Writes one event of `text/event-stream`. JSON on one line has no line break to escape.
    fileprivate mutating func writeEvent(_ event: EventReply) throws {
        writeString("id: \(event.seq)\nevent: \(event.body.kind)\ndata: ")
        writeBytes(try WireCoder.encode(event))
        writeStaticString("\n\n")
    }
}
