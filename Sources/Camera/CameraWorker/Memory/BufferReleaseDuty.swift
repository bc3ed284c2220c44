/// Releases the photo buffers after a time without a photo.
struct BufferReleaseDuty: Duty {
    var admission: Admission { [.idle, .always] }

    func due(
        on connection: borrowing DriverConnection, at now: Instant, in situation: Admission
    ) -> Instant? {
        connection.nextBufferRelease
    }

    mutating func perform(on connection: inout DriverConnection) { connection.releaseBuffers() }
}
