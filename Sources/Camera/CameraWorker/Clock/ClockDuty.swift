/// The duty that sets the camera's clock.
struct ClockDuty: Duty {
    var admission: Admission { .settingsRequests }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.clock.writing?.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.serveClock() }
}
