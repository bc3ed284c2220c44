/// The duty that performs the steps of requests to read settings.
struct SettingsReadingDuty: Duty {
    var admission: Admission { .settingsRequests }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.settings.readings.isEmpty ? nil : now
    }

    mutating func perform(on connection: inout DriverConnection) { connection.readNext() }
}

/// The duty that performs the steps of requests to change settings.
struct SettingsWritingDuty: Duty {
    var admission: Admission { .settingsRequests }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.settings.writings.first?.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.writeNext() }
}

/// The duty that reads settings that the camera has reported as changed, and all settings of a new
/// connection.
struct SettingsRefreshDuty: Duty {
    var admission: Admission { [.idle, .duringOperation] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.nextSettingsRefresh
    }

    mutating func perform(on connection: inout DriverConnection) { connection.readStaleSettings() }
}

extension Admission {
    /// The admission of requests for settings and for the clock. Excludes exposures, because a request could
    /// end the exposure.
    static let settingsRequests: Admission = [
        .idle, .betweenCommands, .betweenChunks, .duringShutterPause, .duringOperation,
    ]
}
