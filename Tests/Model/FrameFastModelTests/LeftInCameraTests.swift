import Foundation
import FrameFastModel
import Testing

@Suite struct LeftInCameraTests {
    @Test(arguments: [
        // Without an earlier loss: no photo, an invalid count, and four photos.
        (0, nil as Int?, 0.0, nil as Int?), (-1, nil, 0, nil), (4, nil, 0, 4),
        // An hour after a loss of four photos: two more photos, and no more photos.
        (2, 4, 3_600, 6), (0, 4, 3_600, 4),
        // A day after a loss of four photos, when that loss is no longer current: two more photos, and none.
        (2, 4, 86_400, 2), (0, 4, 86_400, nil),
    ])
    func `adds up photos left in a camera within a day`(
        lost: Int, before: Int?, secondsLater: TimeInterval, count: Int?
    ) {
        let firstLoss = Date(timeIntervalSince1970: 1_000_000)
        let record = LeftInCamera(
            losing: lost, at: firstLoss.addingTimeInterval(secondsLater),
            before: before.flatMap { LeftInCamera(losing: $0, at: firstLoss, before: nil) })
        #expect(record?.count == count)
        #expect(record?.isCurrent(at: firstLoss.addingTimeInterval(secondsLater)) != false)
        #expect(record?.isCurrent(at: firstLoss.addingTimeInterval(secondsLater + 90_000)) != true)
    }
}
