/// The distance of a time zone from UTC, now and after its next changes. A connection that lasts longer than summer time
/// reads the camera's clock correctly before and after the change.
public struct ZoneOffsets: Codable, Hashable, Sendable {
    /// A change of the zone's distance from UTC.
    public struct Change: Codable, Hashable, Sendable {
        /// The time of the change, in seconds since 1970.
        public var at: Int64
        /// Seconds east of UTC from then on.
        public var seconds: Int

        /// Creates a change.
        public init(at: Int64, seconds: Int) {
            self.at = at
            self.seconds = seconds
        }
    }

    /// The most changes that are sent: two years of summer time, longer than any connection lasts.
    public static let changesMax = 4

    /// Seconds east of UTC before the first change.
    public var seconds: Int
    /// The next changes, earliest first.
    public var changes: [Change]

    /// Creates offsets.
    public init(seconds: Int, changes: [Change] = []) {
        self.seconds = seconds
        self.changes = changes
    }

    /// Returns the seconds east of UTC at a time.
    ///
    /// - Parameter now: The time, in seconds since 1970.
    public func seconds(at now: Int64) -> Int {
        changes.last { $0.at <= now }?.seconds ?? seconds
    }
}
