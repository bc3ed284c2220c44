import Testing

@testable import CameraWorker

/// Releases whose photos have not been announced yet.
@Suite struct AwaitedPhotosTests {
    @Test func `counts a release until its photo arrives or ten seconds pass`() {
        var awaited = AwaitedPhotos()
        // A photo taken with the camera's own shutter button is not awaited.
        awaited.recordPhoto()
        awaited.recordRelease(nowMs: 1_000)
        awaited.recordRelease(nowMs: 2_000)
        awaited.recordRelease(nowMs: 3_000)
        let counts = [
            awaited.count(nowMs: 3_000), awaited.count(nowMs: 1_000 + AwaitedPhotos.expiryMs - 1),
            awaited.count(nowMs: 1_000 + AwaitedPhotos.expiryMs),
        ]
        #expect(counts == [3, 3, 2])
        awaited.recordPhoto()
        let (left, later) = (awaited.count(nowMs: 12_000), awaited.count(nowMs: 60_000))
        #expect(left == 1 && later == 0)
    }
}
