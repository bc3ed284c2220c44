/// When scheduled uploads run.
public struct UploadSchedule: Codable, Hashable, Sendable {
    /// A part of each day, in minutes since midnight: from its first minute up to, and without, its last.
    /// Ends before it starts when it runs over midnight; the whole day when both are equal.
    public struct Window: Codable, Hashable, Sendable {
        /// First minute, 0..<1440.
        public var start: Int
        /// First minute after it, 0..<1440.
        public var end: Int

        /// Creates a window; minutes are taken modulo a day.
        public init(start: Int, end: Int) {
            self.start = Self.inDay(start)
            self.end = Self.inDay(end)
        }

        /// Reads `22:00-06:00`; `nil` when it is not that.
        public init?(_ text: String) {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
            guard ends.count == 2, let start = ends[0], let end = ends[1] else { return nil }
            self.init(start: start, end: end)
        }

        /// Whether a minute of the day lies in it.
        public func contains(_ minute: Int) -> Bool {
            if start == end { return true }
            return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
        }

        /// As it is read: `22:00-06:00`.
        public var text: String { Self.text(start) + "-" + Self.text(end) }

        private static func text(_ minute: Int) -> String {
            let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
            return (hour < 10 ? "0" : "") + "\(hour):" + (rest < 10 ? "0" : "") + "\(rest)"
        }

        private static func inDay(_ minute: Int) -> Int {
            ((minute % minutesPerDay) + minutesPerDay) % minutesPerDay
        }

        private static func minute(_ text: Substring) -> Int? {
            let parts = text.trimmingPrefix(while: \.isWhitespace).split(
                separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1].prefix(2)),
                parts[1].dropFirst(2).allSatisfy(\.isWhitespace), (0..<24).contains(hour),
                (0..<60).contains(minute)
            else { return nil }
            return hour * 60 + minute
        }
    }

    /// Minutes of a day.
    public static let minutesPerDay = 1440

    /// Photos go in these windows. Without any, only ``afterPhotos`` lets them go.
    public var windows: [Window]
    /// Photos go, outside the windows as well, when so many of a session wait; `nil`: never.
    public var afterPhotos: Int?

    /// Nightly: from ten in the evening to six in the morning.
    public static let nightly = UploadSchedule(windows: [Window(start: 22 * 60, end: 6 * 60)])

    /// Creates a schedule.
    public init(windows: [Window], afterPhotos: Int? = nil) {
        self.windows = windows
        self.afterPhotos = afterPhotos
    }

    /// Whether photos may go at this minute of the day.
    public func isOpen(at minute: Int) -> Bool { windows.contains { $0.contains(minute) } }

    /// Minutes until ``isOpen(at:)`` changes, 1...1440; `nil` when it never does.
    public func minutesUntilChange(after minute: Int) -> Int? {
        let isOpen = isOpen(at: minute)
        return (1...Self.minutesPerDay).first {
            self.isOpen(at: (minute + $0) % Self.minutesPerDay) != isOpen
        }
    }
}
