import Testing

@testable import CameraWorker

/// Tests of the count of releases whose photos have not been transferred yet.
@Suite struct AwaitedPhotosTests {
    @Test func `counts a release until its photo arrives or ten seconds pass`() {
        var awaited = AwaitedPhotos()
        // A photo taken with the camera's own shutter button is not awaited.
        awaited.recordPhoto()
        awaited.recordRelease(at: .milliseconds(1_000))
        awaited.recordRelease(at: .milliseconds(2_000))
        awaited.recordRelease(at: .milliseconds(3_000))
        let counts = [
            awaited.count(at: .milliseconds(3_000)),
            awaited.count(at: .milliseconds(999) + AwaitedPhotos.expiry),
            awaited.count(at: .milliseconds(1_000) + AwaitedPhotos.expiry),
        ]
        #expect(counts == [3, 3, 2])
        awaited.recordPhoto()
        let left = awaited.count(at: .milliseconds(12_000))
        let later = awaited.count(at: .milliseconds(60_000))
        #expect(left == 1 && later == 0)
    }

    @Test func `awaits the photo of a long exposure during the exposure and noise reduction`() {
        var awaited = AwaitedPhotos()
        awaited.recordRelease(at: .milliseconds(1_000), exposure: .seconds(30))
        let counts = [
            awaited.count(at: .milliseconds(60_999) + AwaitedPhotos.expiry),
            awaited.count(at: .milliseconds(61_000) + AwaitedPhotos.expiry),
        ]
        #expect(counts == [1, 0])
    }
}
