import Foundation

/// What a simulated body is set to and what it does, in its own words.
extension Simulator {
    /// The shutter of a long exposure.
    public struct Shutter: Decodable, Hashable {
        /// Whether it is open.
        public var open: Bool
        /// When it was opened last, in nanoseconds of the monotonic clock; `nil` before the first time.
        public var openedNs: Int?
        /// When it was closed last; `nil` while it is open.
        public var closedNs: Int?
    }

    /// An operation that a client asked for.
    public struct Operation: Decodable, Hashable {
        /// The number of the operation, four hexadecimal digits.
        public var code: String
        /// Its parameters.
        public var parameters: [UInt32]
        /// When it was answered, in nanoseconds of the monotonic clock.
        public var ns: Int
    }

    /// The settings, a number for each property, by the code of the property.
    public func controls() throws -> [String: Int] { try decode(command("controls")) }

    /// The settings without clocks and counts, and whether the body's buttons are locked.
    public func body() throws -> [String: Int] {
        var body = try controls().filter { !Self.counts.contains($0.key) }
        // A Nikon counts in this property too; an EOS has its film speed there.
        if body.removeValue(forKey: Self.shotsLeft) != nil { body[Self.roomInBuffer] = nil }
        body["locked"] = try command("locked").contains("true") ? 1 : 0
        return body
    }

    /// The differences between two values of ``body()``.
    public static func changes(from before: [String: Int], to now: [String: Int]) -> [String] {
        Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted().map { key in
            "\(key): \(before[key].map(String.init) ?? "-") → \(now[key].map(String.init) ?? "-")"
        }
    }

    /// An EOS's clocks, the room in a Fujifilm's buffer, and its last release.
    private static let counts: Set<String> = ["d113", "d17c", "d20e", "d208"]
    /// What only a Nikon has: the shots that its card and its buffer still take.
    private static let (shotsLeft, roomInBuffer) = ("d1f1", "d103")

    /// The shutter, for a maker that has bulb.
    public func shutter() throws -> Shutter { try decode(command("bulb-state")) }

    /// Whether the camera makes frames of live view for a client. A Sony does not say so.
    public func isLive() throws -> Bool { try command("frames").contains("\"on\":true") }

    /// The operations since they were asked for last, oldest first.
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
