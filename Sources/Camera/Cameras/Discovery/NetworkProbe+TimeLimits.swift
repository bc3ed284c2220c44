extension NetworkProbe {
    /// The time limits of a probe.
    public struct TimeLimits: Hashable, Sendable {
        /// The time limit for the TCP connection.
        public var connection: Duration
        /// The time limit for each response, up to its last byte. A camera that does not respond to the
        /// greeting (Init_Command_Request) within this limit is assumed to wait for the user's approval.
        public var response: Duration
        /// The time limit for the response to the greeting, which may require the user's approval on the
        /// camera.
        public var acknowledgement: Duration
        /// The time limit for the rest of the handshake after the response to the greeting. This limit ends
        /// the handshake with a server that sends very slowly.
        public var rest: Duration

        /// The limits for a search. The response limit is 5 s, because a camera that wakes up from power
        /// saving takes 2 to 3 s. While the connection is open, a Canon displays the approval request for up
        /// to 90 s.
        public static let search = TimeLimits(
            connection: .seconds(5), response: .seconds(5), acknowledgement: .seconds(90), rest: .seconds(15))
        /// The limits for a sweep of whole networks. For an unused address, the kernel times out after three
        /// ARP requests of one second each.
        public static let sweep = TimeLimits(
            connection: .milliseconds(3_100), response: .seconds(5), acknowledgement: .seconds(90),
            rest: .seconds(15))
    }
}
