/// The duty that performs the steps of an operation: the end of an exposure or a movie, the ticks of an
/// interval, and the photos of a bracket or a focus stack.
struct ExposureDuty: Duty {
    var admission: Admission { [.idle, .betweenChunks, .duringShutterPause, .whileClosing, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.operationWait(reserving: connection.reserve(in: situation)).map { now + $0 }
    }

    mutating func perform(on connection: inout DriverConnection) { connection.performOperationStep() }
}
