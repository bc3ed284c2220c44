import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc

/// Reads the event stream, and reconnects after the daemon stops.
enum EventFollower {
    /// The time between two attempts to reach the daemon, in seconds.
    static let retrySeconds: UInt32 = 1
    /// The number of messages in a full mailbox of a screen. While a slow terminal blocks the screen, the
    /// follower stops reading, and the daemon drops events for it and then sends a new snapshot.
    static let messagesMax = 512

    /// An event, or the end of the connection to the daemon.
    enum Update {
        case event(EventReply)
        /// The stream ended, or could not start. After a reconnection, the next event is a snapshot.
        case away(ClientError)
    }

    /// Reads events until `handle` returns `false`. Blocks the thread.
    static func run(_ client: FrameFastClient, _ handle: (Update) -> Bool) {
        var isFollowing = true
        while isFollowing {
            var reason = ClientError.connectionClosed
            do throws(ClientError) {
                try client.events { event throws(ClientError) in
                    // Ignore events that are unknown to this version.
                    if let reply = try? WireCoder.decode(EventReply.self, from: Data(event.data.utf8)) {
                        isFollowing = handle(.event(reply))
                    }
                    return isFollowing
                }
            } catch { reason = error }
            guard isFollowing else { return }
            isFollowing = handle(.away(reason))
            if isFollowing { sleep(retrySeconds) }
        }
    }
}
