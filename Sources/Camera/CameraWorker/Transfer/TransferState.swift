/// The state of photo transfers.
struct TransferState {
    /// The size of the chunks to request.
    var chunks = ChunkControl()
    /// The total time spent on shots between the chunks of other photos.
    var shotsTime = Duration.zero
    /// The handles of recently read files.
    var handles = ReadHandles()
    /// The time at which the buffers are released if no other photo arrives.
    var bufferReleaseDue = Instant.start
}
