/// The duty that performs the daemon's commands, one at a time.
struct CommandDuty: Duty {
    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        let holdsCard = connection.holdsCard
        if connection.queue.hasNext(mayUseCard: !holdsCard) { return now }
        // The remaining commands use the card and wait until the photographer pauses.
        guard holdsCard, !connection.queue.isEmpty else { return nil }
        let pause = connection.shutter.rest.delay(at: now)
        return pause > .zero ? now + pause : nil
    }

    mutating func perform(on connection: inout DriverConnection) {
        let queue = connection.queue
        guard let command = connection.holdsCard ? queue.nextWithoutCard() : queue.next() else { return }
        connection.perform(command)
        // Commands that arrive without a pause must not delay a request for settings.
        if connection.end == nil { connection.performDuties(in: .betweenCommands) }
    }
}
