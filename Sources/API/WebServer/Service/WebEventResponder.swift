import APIServer
import FrameFastAPI
import HummingbirdCore
import WebPairing

/// `GET /v1/events` for a device: an owner receives every event, and other roles receive only the events of
/// their session.
struct WebEventResponder: Sendable {
    /// Returns the state of a session for a client or screen.
    typealias Snapshot = @Sendable (SessionID) async throws(ControlError) -> ClientSnapshotReply

    let surface: any ControlSurface
    let hub: EventHub
    let access: WebAccess
    let policy: WebPolicy
    let streams: WebStreams
    let snapshot: Snapshot

    /// Opens the stream of a device. The stream ends when the device loses access.
    func response(for device: WebDevice) async throws(ControlError) -> Response {
        let session = policy.sessionLimit(of: device)
        let lease = hub.lease(in: .web) { body in
            session.map { ClientEventReply.Body(body, session: $0) != nil } ?? true
        }
        guard let lease else {
            throw ControlError(
                .unavailable, "cannot open another event stream: \(EventHub.webReadersMax) are open",
                nextStep: "Close the page in another window or on another device, then try again.")
        }
        streams.register(lease.reader, for: device.id)
        // The device may have lost access before its stream was registered.
        guard await access.device(device.id) != nil else {
            throw ControlError(.unauthorized, "cannot use this page: this device is not paired")
        }
        return EventStream(hub: hub, content: content(for: session)).response(lease)
    }

    /// Returns the JSON of events, for all sessions or for one session.
    private func content(for session: SessionID?) -> EventStream.Content {
        guard let session else { return .complete(of: surface) }
        return EventStream.Content(
            snapshot: { event in
                let body = ClientEventReply.Body.snapshot(try await snapshot(session))
                return try WireCoder.encode(ClientEventReply(seq: event.seq, at: event.at, body: body))
            },
            change: { event in
                let body = ClientEventReply.Body(event.body, session: session) ?? .resync
                return try WireCoder.encode(ClientEventReply(seq: event.seq, at: event.at, body: body))
            })
    }
}
