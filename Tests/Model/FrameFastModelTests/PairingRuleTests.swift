import Foundation
import FrameFastModel
import Testing

@Suite struct PairingRuleTests {
    private static let settleSeconds = 2.0

    /// A file as the camera announced it, and whether it came directly after the other one.
    struct File: Sendable {
        var record: CaptureRecord
        var isAdjacent = false
    }

    private static func shot(
        _ name: String, time: Int64? = nil, heard: Double = 0, isAdjacent: Bool = false
    ) -> File {
        File(
            record: CaptureRecord(
                id: 1, bodyID: "a", object: CameraObject(folder: "/d", name: name, size: 1, cameraTime: time),
                state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: heard)),
            isAdjacent: isAdjacent)
    }

    private static func arePair(_ new: File, _ earlier: File) -> Bool {
        PairingRule.arePair(
            new.record, earlier.record, areAdjacent: new.isAdjacent, settleSeconds: settleSeconds)
    }

    @Test(arguments: [
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.CR3", time: 100), shot("img_1.jpg", time: 102)),
        (shot("IMG_1.HIF", time: 100, heard: 500), shot("IMG_1.ARW", time: 100, heard: 0)),
        (shot("capt0002.jpg", time: 100, isAdjacent: true), shot("capt0001.cr2", time: 101)),
        (shot("IMG_1.JPG", heard: 1.9), shot("IMG_1.NEF")),
    ])
    func `a RAW and a picture of one shot are a pair`(new: File, earlier: File) {
        #expect(Self.arePair(new, earlier))
    }

    @Test(arguments: [
        // The same number after a roll-over, or on another card.
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.CR3", time: 103)),
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.JPG", time: 100)),
        (shot("IMG_1.NEF", time: 100), shot("IMG_1.DNG", time: 100)),
        (shot("IMG_2.JPG", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_2.JPG", time: 105, isAdjacent: true), shot("IMG_1.CR3", time: 100)),
        // A photo and the RAW of the next shot, in a burst.
        (shot("IMG_501.DNG", time: 100, isAdjacent: true), shot("IMG_500.JPG", time: 100)),
        (shot("IMG_1.MP4", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.XMP", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.JPG", heard: 2.1), shot("IMG_1.NEF")),
        (shot("IMG_1.JPG", time: 100, heard: 9), shot("IMG_1.NEF")),
        // Times that no clock shows.
        (shot("IMG_1.JPG", time: .min), shot("IMG_1.CR3", time: .max)),
        (shot("IMG_1.JPG", time: .min), shot("IMG_1.CR3", time: 0)),
    ])
    func `files that only look alike are not`(new: File, earlier: File) {
        #expect(!Self.arePair(new, earlier))
    }
}
