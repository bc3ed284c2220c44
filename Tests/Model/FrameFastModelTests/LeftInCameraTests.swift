import Foundation
import FrameFastModel
import Testing

@Suite struct LeftInCameraTests {
    @Test(arguments: [
        // No photos were left, or some.
        (0, nil as Int?, 0.0, nil as Int?), (-1, nil, 0, nil), (4, nil, 0, 4),
        // More photos, and no more, after earlier ones that a person has not fetched.
        (2, 4, 3_600, 6), (0, 4, 3_600, 4),
        // The condition for photos from a day ago has ended.
        (2, 4, 86_400, 2), (0, 4, 86_400, nil),
    ])
    func `photos left in a camera add up for a day`(
        lost: Int, before: Int?, secondsLater: TimeInterval, count: Int?
    ) {
        let first = Date(timeIntervalSince1970: 1_000_000)
        let left = LeftInCamera(
            losing: lost, at: first.addingTimeInterval(secondsLater),
            before: before.flatMap { LeftInCamera(losing: $0, at: first, before: nil) })
        #expect(left?.count == count)
        #expect(left?.isCurrent(at: first.addingTimeInterval(secondsLater)) != false)
        #expect(left?.isCurrent(at: first.addingTimeInterval(secondsLater + 90_000)) != true)
    }
}
