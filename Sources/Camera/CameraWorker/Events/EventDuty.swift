import GPhoto2

/// The duty that polls for events when they must be handled before other work. If nothing else is due, the
/// worker polls in ``DriverConnection/waitAndPoll(until:)``.
struct EventDuty: Duty {
    var admission: Admission { [.idle, .betweenChunks, .duringShutterPause, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        guard !connection.photoStore.isFull, !connection.holdsEvents else { return nil }
        switch situation {
        case .betweenChunks: return connection.needsPollDuringTransfer ? now : nil
        case .duringShutterPause:
            if connection.needsPollDuringTransfer { return now }
            if connection.camera.queuedEvents > 0 { return now }
            return now + connection.events.pace.delay(at: now)
        default: return connection.shutter.rest.mustPoll(at: now) ? now : nil
        }
    }

    mutating func perform(on connection: inout DriverConnection) { connection.pollEvents() }
}
