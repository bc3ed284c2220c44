/// The duties of a connection, with their ranks.
enum DutyTable {
    /// Returns the duties of a new connection, highest rank first.
    static func make() -> [RankedDuty] {
        [
            RankedDuty(.waitingRelease, WaitingReleaseDuty()),
            RankedDuty(.release, ReleaseDuty()),
            RankedDuty(.exposure, ExposureDuty()),
            RankedDuty(.event, EventDuty()),
            RankedDuty(.command, CommandDuty()),
            RankedDuty(.buffer, BufferDuty()),
            // The clock has priority, because it must be set just before a full second.
            RankedDuty(.settings, ClockDuty()),
            RankedDuty(.settings, SettingsReadingDuty()),
            RankedDuty(.settings, SettingsWritingDuty()),
            RankedDuty(.settings, SettingsRefreshDuty()),
            RankedDuty(.listing, ListingDuty()),
            RankedDuty(.focus, FocusDuty()),
            RankedDuty(.liveView, LiveViewDuty()),
            RankedDuty(.idle, BufferReleaseDuty()),
        ]
    }
}
