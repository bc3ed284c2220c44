import FoundationEssentials
import FrameFastAPI
import Synchronization

/// An encoder that caches the JSON of the last reply, and encodes a reply only after a change. Clients
/// request the status about every second. The status rarely changes between transfers.
final class ReplyEncoder<Reply: Encodable & Equatable & Sendable>: Sendable {
    private let last = Mutex<(reply: Reply, json: Data)?>(nil)

    /// Returns the same bytes as ``WireCoder/encode(_:pretty:)``.
    func encode(_ reply: Reply) throws -> Data {
        try last.withLock { last in
            if let last, last.reply == reply { return last.json }
            let json = try WireCoder.encode(reply)
            last = (reply, json)
            return json
        }
    }
}
