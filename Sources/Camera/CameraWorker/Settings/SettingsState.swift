/// The state of reading and changing settings.
struct SettingsState {
    /// The table of the camera's settings, or `nil` before its first use.
    var table: SettingsTable?
    /// The queue of requests to read settings, oldest first.
    var readings: [SettingsReading] = []
    /// The queue of requests to change settings, oldest first.
    var writings: [SettingsWriting] = []
    /// The time at which a setting other than the mode was last read.
    var lastRead = Instant.start
    /// Whether the worker has disabled the camera's dials to change a setting.
    var hasDisabledDials = false
}
