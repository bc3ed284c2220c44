import FoundationEssentials
import FrameFastAPI
import Synchronization

/// An encoder of statuses that caches the JSON of each camera. Cameras are most of a status and rarely
/// change, so it encodes a camera only after a change. With a hundred cameras that is a hundredth of the
/// work.
final class StatusJSON: Sendable {
    private struct State {
        var cameras: [CameraID: (reply: CameraReply, json: Data)] = [:]
        var encodedCount = 0
    }
    private let state = Mutex(State())

    /// The number of cameras encoded so far.
    var encodedCount: Int { state.withLock(\.encodedCount) }

    /// Returns the same bytes as ``WireCoder/encode(_:pretty:)``.
    func encode(_ status: StatusReply) throws -> Data {
        var rest = status
        rest.cameras = []
        let frame = try WireCoder.encode(rest)
        // Keys are sorted, and `cameras` is the first key, so the JSON starts with `{"cameras":[`.
        let head = frame.prefix { $0 != UInt8(ascii: "[") }
        var json = head + [UInt8(ascii: "[")]
        for (index, camera) in try encode(status.cameras).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += camera
        }
        return json + frame.dropFirst(head.count + 1)
    }

    private func encode(_ replies: [CameraReply]) throws -> [Data] {
        try state.withLock { state in
            let encoded = try replies.map { reply in
                if let last = state.cameras[reply.id], last.reply == reply { return last }
                state.encodedCount += 1
                return (reply, try WireCoder.encode(reply))
            }
            // Drops cameras that are no longer part of the status.
            state.cameras = Dictionary(encoded.map { ($0.reply.id, $0) }) { first, _ in first }
            return encoded.map(\.json)
        }
    }
}
