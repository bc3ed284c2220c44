/// A time zone's current and future offsets from UTC. With these offsets, a connection reads the camera's
/// clock correctly across a change to or from summer time.
public struct ZoneOffsets: Codable, Hashable, Sendable {
    /// A change of the zone's offset from UTC.
    public struct Change: Codable, Hashable, Sendable {
        /// The time of the change, in seconds since 1970.
        public var at: Int64
        /// The offset after the change, in seconds east of UTC.
        public var seconds: Int

        /// Creates a change.
        public init(at: Int64, seconds: Int) {
            self.at = at
            self.seconds = seconds
        }
    }

    /// The maximum number of changes. Four changes cover two years of summer time, which is longer than any
    /// connection.
    public static let changesMax = 4

    /// The offset before the first change, in seconds east of UTC.
    public var seconds: Int
    /// The next changes, earliest first.
    public var changes: [Change]

    /// Creates offsets.
    public init(seconds: Int, changes: [Change] = []) {
        self.seconds = seconds
        self.changes = changes
    }

    /// Returns the offset at a time, in seconds east of UTC.
    public func seconds(at now: Int64) -> Int {
        changes.last { $0.at <= now }?.seconds ?? seconds
    }
}
