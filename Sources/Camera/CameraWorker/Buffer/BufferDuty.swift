import FrameFastModel

/// The duty that reads how many more shots the camera's buffer can hold. The worker reads the number during a
/// burst, and once after the burst.
struct BufferDuty: Duty {
    private var poll = BufferPoll()

    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.profile.burstShotsLeft == nil ? nil : poll.due(lastShot: connection.shared.lastShot)
    }

    mutating func perform(on connection: inout DriverConnection) {
        connection.readBuffer()
        poll.recordRead(at: .now)
    }
}
