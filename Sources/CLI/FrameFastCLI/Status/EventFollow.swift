import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc

/// The event stream for those who stay: a daemon that went is waited for.
enum EventFollow {
    /// Seconds between two tries to reach a daemon that is away.
    static let retrySeconds: UInt32 = 1

    /// What is heard.
    enum Heard {
        case event(EventReply)
        /// Why there are no events; they begin anew with a snapshot.
        case away(ClientError)
    }

    /// Follows, blocking, until `handle` says false. Between events it sleeps in the kernel.
    static func run(_ client: FrameFastClient, _ handle: (Heard) -> Bool) {
        var goesOn = true
        while goesOn {
            var reason = ClientError.cutShort
            do throws(ClientError) {
                try client.events { event throws(ClientError) in
                    // What this build cannot read is what it does not need.
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
