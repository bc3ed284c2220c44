/// A count of releases whose photos have not been transferred yet. A camera with its own photo memory
/// announces a photo only some time after the release. The connection may be lost before the announcement.
struct AwaitedPhotos {
    /// If no photo arrives within this time after the exposure and its noise reduction, the release counts as
    /// failed. A Sony needs about a second for a large photo.
    static let expiry = Duration.milliseconds(10_000)

    /// The times at which the releases expire, oldest release first.
    private var releases: [Instant] = []

    /// Records a release that the camera accepted.
    ///
    /// - Parameter exposure: The exposure time. Noise reduction may take as long as the exposure.
    mutating func recordRelease(at now: Instant, exposure: Duration = .zero) {
        removeExpired(at: now)
        releases.append(now + exposure + exposure + Self.expiry)
    }

    /// Records a photo that was transferred.
    mutating func recordPhoto() { if !releases.isEmpty { releases.removeFirst() } }

    /// Returns the number of awaited photos.
    mutating func count(at now: Instant) -> Int {
        removeExpired(at: now)
        return releases.count
    }

    private mutating func removeExpired(at now: Instant) {
        releases.removeAll { $0 <= now }
    }
}
