package import FoundationEssentials
package import FrameFastAPI
import HTTPTypes
package import HummingbirdCore
import NIOCore

/// A response that streams events: a snapshot, then numbered changes, as server-sent events.
package struct EventStream: Sendable {
    /// The JSON of the events, which depends on the rights of the reader.
    package struct Content: Sendable {
        /// Returns the JSON of an event with the current state.
        ///
        /// The parameter has the number and the time of the event.
        let snapshot: @Sendable (EventReply) async throws -> Data
        /// Returns the JSON of a change or of a `resync`.
        let change: @Sendable (EventReply) throws -> Data

        /// Creates the content of a stream.
        package init(
            snapshot: @escaping @Sendable (EventReply) async throws -> Data,
            change: @escaping @Sendable (EventReply) throws -> Data
        ) {
            self.snapshot = snapshot
            self.change = change
        }

        /// Returns the content for readers that may see everything.
        package static func complete(of surface: any ControlSurface) -> Content {
            Content(
                snapshot: { event in
                    var event = event
                    event.body = .snapshot(try await surface.status())
                    return try WireCoder.encode(event)
                }, change: { try WireCoder.encode($0) })
        }
    }

    private let hub: EventHub
    private let content: Content

    /// Creates a stream.
    package init(hub: EventHub, content: Content) {
        self.hub = hub
        self.content = content
    }

    /// Returns the response for a client of the Unix socket.
    func response() throws(ControlError) -> Response {
        guard let lease = hub.lease() else {
            throw ControlError(
                .unavailable, "cannot open another event stream: \(EventHub.readersMax) are open",
                nextStep: "Close a status bar or a script that follows events, then try again.")
        }
        return response(lease)
    }

    /// Returns the response for an open reader. The response ends when the reader is finished.
    package func response(_ lease: EventLease) -> Response {
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
                for event in events { buffer.write(event, try content.change(event)) }
                try await writer.write(buffer)
            case .overflowed:
                let event = hub.eventWithLastSeq(.resync)
                var buffer = ByteBuffer()
                buffer.write(event, try content.change(event))
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
        let event = hub.eventWithLastSeq(.resync)
        var buffer = ByteBuffer()
        buffer.write(seq: event.seq, kind: "snapshot", try await content.snapshot(event))
        return buffer
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ event: EventReply, _ json: Data) {
        write(seq: event.seq, kind: event.body.kind, json)
    }

    /// Writes one event of `text/event-stream`. JSON on one line has no line break to escape.
    fileprivate mutating func write(seq: UInt64, kind: String, _ json: Data) {
        writeString("id: \(seq)\nevent: \(kind)\ndata: ")
        writeBytes(json)
        writeStaticString("\n\n")
    }
}
