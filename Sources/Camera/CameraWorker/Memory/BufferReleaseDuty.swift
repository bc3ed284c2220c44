/// The duty that releases the photo buffers when no photo has arrived for some time.
struct BufferReleaseDuty: Duty {
    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.nextBufferRelease
    }

    mutating func perform(on connection: inout DriverConnection) { connection.releaseBuffers() }
}
