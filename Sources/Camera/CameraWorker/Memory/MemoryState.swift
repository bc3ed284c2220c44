/// The state of photos in the camera's memory.
struct MemoryState {
    /// The photos in a memory that the worker must empty, or `nil` if the camera has no such memory.
    var photos: PhotoMemory?
    /// The releases whose photos have not arrived yet, for a camera whose memory can't be listed.
    var awaited = AwaitedPhotos()
    /// The time of the last report of waiting photos.
    var lastReport = Instant.start
}
