/// The duty that performs queued releases as soon as the camera is ready.
struct WaitingReleaseDuty: Duty {
    var admission: Admission { [.idle, .duringShutterPause, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.shutter.releases.due
    }

    mutating func perform(on connection: inout DriverConnection) { connection.performWaitingReleases() }
}

/// The duty that performs the commands that may interrupt a transfer: to release the shutter and to stop an
/// operation.
struct ReleaseDuty: Duty {
    var admission: Admission { [.betweenChunks, .duringShutterPause, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.queue.hasUrgent ? now : nil
    }

    mutating func perform(on connection: inout DriverConnection) {
        while connection.loss == nil, let command = connection.queue.nextUrgent() {
            connection.perform(command)
        }
    }
}
