/// A count of releases whose photos have not been announced yet. A camera with its own photo memory announces
/// a photo only some time after the release. The connection may be lost before then.
struct AwaitedPhotos {
    /// The time after which a release is treated as failed, in milliseconds. A Sony needs about a second for
    /// a large photo.
    static let expiryMs: UInt64 = 10_000

    /// The times of the releases, in milliseconds of the monotonic clock, oldest first.
    private var releases: [UInt64] = []

    /// Records a release that the camera accepted.
    mutating func recordRelease(nowMs: UInt64) {
        removeExpired(nowMs: nowMs)
        releases.append(nowMs)
    }

    /// Records a photo that was transferred.
    mutating func recordPhoto() { if !releases.isEmpty { releases.removeFirst() } }

    /// Returns the number of awaited photos.
    mutating func count(nowMs: UInt64) -> Int {
        removeExpired(nowMs: nowMs)
        return releases.count
    }

    private mutating func removeExpired(nowMs: UInt64) {
        releases.removeAll { $0 + Self.expiryMs <= nowMs }
    }
}
