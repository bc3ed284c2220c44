import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc

/// Reads the event stream, and reconnects after the daemon stops.
enum EventFollow {
    /// The time between two attempts to reach the daemon, in seconds.
    static let retrySeconds: UInt32 = 1

    /// An event, or the loss of the daemon.
    enum Heard {
        case event(EventReply)
        /// The stream ended, or could not start. After a reconnection, the next event is a snapshot.
        case away(ClientError)
    }

    /// Reads events until `handle` returns `false`. Blocks the thread.
    static func run(_ client: FrameFastClient, _ handle: (Heard) -> Bool) {
        var goesOn = true
        while goesOn {
            var reason = ClientError.cutShort
            do throws(ClientError) {
                try client.events { event throws(ClientError) in
                    // Ignore events that this version does not know.
                    if let reply = try? WireCoder.decode(EventReply.self, from: Data(event.data.utf8)) {
                        goesOn = handle(.event(reply))
                    }
                    return goesOn
                }
            } catch { reason = error }
            guard goesOn else { return }
            goesOn = handle(.away(reason))
            if goesOn { sleep(retrySeconds) }
        }
    }
}
