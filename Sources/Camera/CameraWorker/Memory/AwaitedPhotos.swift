/// Releases whose photos have not been announced. A camera that keeps photos in its memory announces them a moment later, and by
/// then its cable may be gone.
struct AwaitedPhotos {
    /// A photo that has not come by then was never taken, in milliseconds: a Sony needs about a second for a large one.
    static let patienceMs: UInt64 = 10_000

    /// When the shutter was released, in milliseconds of the monotonic clock, oldest first.
    private var releases: [UInt64] = []

    /// The camera took an order to release its shutter.
    mutating func released(nowMs: UInt64) {
        forgetOld(nowMs: nowMs)
        releases.append(nowMs)
    }

    /// A photo came over.
    mutating func came() { if !releases.isEmpty { releases.removeFirst() } }

    /// How many photos are awaited.
    mutating func count(nowMs: UInt64) -> Int {
        forgetOld(nowMs: nowMs)
        return releases.count
    }

    private mutating func forgetOld(nowMs: UInt64) {
        releases.removeAll { $0 + Self.patienceMs <= nowMs }
    }
}
