/// The duty that sends the requested frames and ends live view. The duty does not run during an operation,
/// because operations control live view themselves.
struct LiveViewDuty: Duty {
    var admission: Admission { .idle }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.liveView.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.serveLiveView() }
}
