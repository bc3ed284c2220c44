/// The duty that performs the steps of a focus move.
struct FocusDuty: Duty {
    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.focusMove?.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.moveFocus() }
}
