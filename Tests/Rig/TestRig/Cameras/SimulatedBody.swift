import Foundation

/// The state of a simulated body, as the simulator reports it.
extension Simulator {
    /// The shutter of a bulb exposure.
    public struct Shutter: Decodable, Hashable {
        /// Whether the shutter is open.
        public var open: Bool
        /// The time of the last opening, in nanoseconds of the monotonic clock, or `nil` if the shutter was
        /// never opened.
        public var openedNs: Int?
        /// The time of the last closing, in nanoseconds of the monotonic clock, or `nil` while the shutter is
        /// open.
        public var closedNs: Int?
    }

    /// An operation that a client requested.
    public struct Operation: Decodable, Hashable {
        /// The code of the operation, as four hexadecimal digits.
        public var code: String
        /// The parameters of the operation.
        public var parameters: [UInt32]
        /// The time of the response, in nanoseconds of the monotonic clock.
        public var ns: Int
    }

    /// Returns the settings as numbers, by hexadecimal property code.
    public func controls() throws -> [String: Int] { try decode(command("controls")) }

    /// Returns the settings without clocks and counters, and whether the body's buttons are locked.
    public func body() throws -> [String: Int] {
        var body = try controls().filter { !Self.counts.contains($0.key) }
        // On a Nikon, the property `bufferSpace` is a counter. On an EOS, the same code is the film speed.
        if body.removeValue(forKey: Self.shotsLeft) != nil { body[Self.bufferSpace] = nil }
        body["locked"] = try command("locked").contains("true") ? 1 : 0
        return body
    }

    /// Returns the differences between two values of ``body()``.
    public static func changes(from before: [String: Int], to now: [String: Int]) -> [String] {
        Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted().map { key in
            "\(key): \(before[key].map(String.init) ?? "-") → \(now[key].map(String.init) ?? "-")"
        }
    }

    /// The codes of clocks and counters: an EOS's clocks, the free space in a Fujifilm's buffer, and a
    /// Fujifilm's last release.
    private static let counts: Set<String> = ["d113", "d17c", "d20e", "d208"]
    /// The codes of the numbers of shots that fit on a Nikon's card and in its buffer. Only a Nikon has both
    /// properties.
    private static let (shotsLeft, bufferSpace) = ("d1f1", "d103")

    /// Returns the shutter's state, for a maker that supports bulb.
    public func shutter() throws -> Shutter { try decode(command("bulb-state")) }

    /// Returns whether the camera sends live-view frames to a client. A Sony doesn't report this state.
    public func isLive() throws -> Bool { try command("frames").contains("\"on\":true") }

    /// Returns the number of the open session, counted from the start of the camera. Returns `nil` if no
    /// session is open, or if the client does not receive events.
    public func openSession() throws -> Int? {
        struct Sessions: Decodable {
            var sessions: Int
            var sessionOpen: Bool
            var clientListening: Bool
        }
        let now: Sessions = try decode(command("stats"))
        return now.sessionOpen && now.clientListening ? now.sessions : nil
    }

    /// Returns the operations since the last call, oldest first.
    public func operations() throws -> [Operation] {
        try command("log ops").split(separator: "\n").filter { $0.contains("\"code\"") }.map {
            try decode(String($0))
        }
    }

    private func decode<Value: Decodable>(_ line: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(line.drop { $0 != "{" }.utf8))
    }
}
