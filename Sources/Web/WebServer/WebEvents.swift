import APIServer
import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The stream of one device: what its role may know, and nothing else. Others' shots are left out here and not in the page.
struct WebEvents: Sendable {
    let hub: EventHub
    let desk: WebDesk
    let status: @Sendable () async throws(ControlError) -> StatusReply

    func response(for device: WebDevice) throws(ControlError) -> Response {
        guard let lease = hub.lease() else {
            throw ControlError(.unavailable, "too many pages are open")
        }
        let body = ResponseBody { writer in
            let stream = await desk.opened(device) { lease.reader.finish() }
            do {
                try await send(from: lease.reader, to: device, &writer)
                try await writer.finish(nil)
            } catch {
                await desk.closed(device, stream: stream)
                throw error
            }
            await desk.closed(device, stream: stream)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    private func send(
        from reader: EventReader, to device: WebDevice, _ writer: inout any ResponseBodyWriter
    ) async throws {
        try await writer.write(snapshot(for: device))
        while let taken = await reader.next() {
            switch taken {
            case .events(let events):
                var buffer = ByteBuffer()
                for event in events {
                    if let shaped = Self.shaped(event, for: device) { try buffer.writeEvent(shaped) }
                }
                if buffer.readableBytes > 0 { try await writer.write(buffer) }
            case .overflowed: try await writer.write(snapshot(for: device))
            case .heartbeat: try await writer.write(ByteBuffer(string: ": heartbeat\n\n"))
            }
        }
    }

    private func snapshot(for device: WebDevice) async throws -> ByteBuffer {
        guard device.role == .owner else {
            return ByteBuffer(string: "event: snapshot\ndata: {\"kind\":\"snapshot\"}\n\n")
        }
        var event = hub.stamp(.resync)
        event.body = .snapshot(try await status())
        var buffer = ByteBuffer()
        try buffer.writeEvent(event)
        return buffer
    }

    /// What a device is told of an event; `nil` for nothing.
    static func shaped(_ event: EventReply, for device: WebDevice) -> EventReply? {
        switch event.body {
        case .shot(let shot):
            let session = shot.session.first.flatMap { $0 == 0 ? nil : SessionID(rawValue: Int64($0)) }
            return device.sees(session: session) ? event : nil
        // A file at a time is of no use to the page: it hears of shots.
        case .capture, .upload, .unknown: return nil
        default: return device.role == .owner ? event : nil
        }
    }
}
