/// How far the zone of a camera's clock is from UTC, now and after the next changes of summer time: a session that lasts
/// longer than to one of them reads the clock right on both sides.
public struct ZoneOffsets: Codable, Hashable, Sendable {
    /// From when on the zone is so far from UTC.
    public struct Change: Codable, Hashable, Sendable {
        /// Seconds of Unix time.
        public var at: Int64
        /// Seconds east of UTC.
        public var seconds: Int

        /// Creates a change.
        public init(at: Int64, seconds: Int) {
            self.at = at
            self.seconds = seconds
        }
    }

    /// Most changes that are told: two years of summer time, which no session outlasts.
    public static let changesMax = 4

    /// Seconds east of UTC before the first change.
    public var seconds: Int
    /// The changes to come, earliest first.
    public var changes: [Change]

    /// Creates offsets.
    public init(seconds: Int, changes: [Change] = []) {
        self.seconds = seconds
        self.changes = changes
    }

    /// Seconds east of UTC at a moment.
    ///
    /// - Parameter now: Seconds of Unix time.
    public func seconds(at now: Int64) -> Int {
        changes.last { $0.at <= now }?.seconds ?? seconds
    }
}
