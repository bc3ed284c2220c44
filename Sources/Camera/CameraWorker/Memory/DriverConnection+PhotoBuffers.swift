import CLinux

extension DriverConnection {
    /// The time without a photo after which buffers are released.
    static let bufferIdle = Duration.milliseconds(3_000)

    /// The time at which the photo buffers are released, or `nil` if no buffer is allocated. Buffers are kept
    /// between photos, because allocating a new buffer takes as long as writing a photo twice.
    var nextBufferRelease: Instant? {
        sink.hasUsedMuch || photoStore.hasSpare ? transfer.bufferReleaseDue : nil
    }

    /// Releases the photo buffers, and the memory that the driver used for chunks.
    mutating func releaseBuffers() {
        // Restarts the timer, because this method does not release a buffer that is still being written.
        transfer.bufferReleaseDue = .now + Self.bufferIdle
        sink.releaseBuffers()
        photoStore.releaseBuffer()
        framefast_trim_malloc(Confinement.topPad)
    }
}
