/// The state of photos in the camera's memory.
struct MemoryState {
    /// The photos in a camera memory that must be emptied, or `nil` for any other camera.
    var photos: PhotoMemory?
    /// The releases whose photos have not arrived yet, for a camera whose memory can't be listed.
    var awaited = AwaitedPhotos()
    /// The time of the last report of waiting photos.
    var lastReport = Instant.start
}
