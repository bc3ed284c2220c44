/// The state of photos in the camera's memory.
struct MemoryState {
    /// The photos in the camera's memory, or `nil` if the memory need not be emptied.
    var photos: PhotoMemory?
    /// The releases whose photos have not arrived yet, for a camera whose memory can't be listed.
    var awaited = AwaitedPhotos()
    /// The time of the last report of waiting photos.
    var lastReport = Instant.start
}
