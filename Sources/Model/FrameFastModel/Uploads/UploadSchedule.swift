import TextForms

/// The schedule of the upload mode ``UploadMode/scheduled``.
public struct UploadSchedule: Codable, Hashable, Sendable {
    /// A daily period that includes ``start`` and excludes ``end``. The period spans midnight if the end is
    /// before the start. If both are equal, the period is the whole day.
    public struct Window: Codable, Hashable, Sendable {
        /// The first minute of the period, in minutes since midnight, 0..<1440.
        public var start: Int
        /// The first minute after the period, in minutes since midnight, 0..<1440.
        public var end: Int

        /// Creates a window. Values outside a day wrap around.
        public init(start: Int, end: Int) {
            self.start = Self.wrapped(start)
            self.end = Self.wrapped(end)
        }

        /// Parses `22:00-06:00`, or returns `nil` for other text.
        public init?(_ text: String) {
            guard let (start, end) = TimeRangeText.minutes(of: text) else { return nil }
            self.init(start: start, end: end)
        }

        /// Returns whether the window contains a minute of the day.
        public func contains(_ minute: Int) -> Bool {
            if start == end { return true }
            return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
        }

        /// The text form, `22:00-06:00`.
        public var text: String { TimeRangeText.text(start: start, end: end) }

        private static func wrapped(_ minute: Int) -> Int {
            ((minute % minutesPerDay) + minutesPerDay) % minutesPerDay
        }
    }

    /// The number of minutes in a day.
    public static let minutesPerDay = 1440

    /// The windows in which photos are uploaded. If empty, only ``afterPhotos`` starts uploads.
    public var windows: [Window]
    /// The number of waiting photos of a session at which uploads start outside the windows, or `nil` to
    /// upload only in the windows.
    public var afterPhotos: Int?

    /// The default schedule, from 22:00 to 06:00.
    public static let nightly = UploadSchedule(windows: [Window(start: 22 * 60, end: 6 * 60)])

    /// Creates a schedule.
    public init(windows: [Window], afterPhotos: Int? = nil) {
        self.windows = windows
        self.afterPhotos = afterPhotos
    }

    /// Returns whether photos may be uploaded at this minute of the day.
    public func isOpen(at minute: Int) -> Bool { windows.contains { $0.contains(minute) } }

    /// Returns the number of minutes until ``isOpen(at:)`` changes, 1...1440, or `nil` if it never changes.
    public func minutesUntilChange(after minute: Int) -> Int? {
        let isOpen = isOpen(at: minute)
        return (1...Self.minutesPerDay).first {
            self.isOpen(at: (minute + $0) % Self.minutesPerDay) != isOpen
        }
    }
}
