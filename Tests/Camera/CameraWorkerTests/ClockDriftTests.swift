import Testing

@testable import CameraWorker

@Suite struct ClockDriftTests {
    @Test(arguments: [
        (5, nil as Int?, 5), (5, 5, 5), (6, 5, 5), (4, 5, 5), (7, 5, 7), (3, 5, 3), (0, 1, 1), (-7, -5, -7),
        (3600, 0, 3600),
    ])
    func `ignores a difference of one second and publishes larger differences`(
        seconds: Int, before: Int?, published: Int
    ) {
        #expect(ClockDrift.published(seconds, previous: before) == published)
    }

    @Test func `the published drift differs from the clock's by at most one second`() {
        var published = 0
        for seconds in 1...10 {
            published = ClockDrift.published(seconds, previous: published)
            #expect((seconds - 1...seconds).contains(published))
        }
    }
}
