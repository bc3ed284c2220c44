/// Sends the requested frames, and ends live view. Does not run during an operation, which owns live view.
struct LiveViewDuty: Duty {
    var admission: Admission { .idle }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.liveView.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.serveLiveView() }
}
