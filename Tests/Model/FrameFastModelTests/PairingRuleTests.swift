import Foundation
import FrameFastModel
import Testing

@Suite struct PairingRuleTests {
    private static let settleSeconds = 2.0

    /// A file of a possible pair, and whether the camera announced this file directly after the pair's other
    /// file.
    struct File: Sendable {
        var record: CaptureRecord
        var isAdjacent = false
    }

    private static func shot(
        _ name: String, time: Int64? = nil, detectedAt: Double = 0, isAdjacent: Bool = false
    ) -> File {
        File(
            record: CaptureRecord(
                id: 1, bodyID: "a", object: CameraObject(folder: "/d", name: name, size: 1, cameraTime: time),
                state: .seen, sessionID: nil, detectedAt: Date(timeIntervalSince1970: detectedAt)),
            isAdjacent: isAdjacent)
    }

    private static func arePair(_ new: File, _ earlier: File) -> Bool {
        PairingRule.arePair(
            new.record, earlier.record, areAdjacent: new.isAdjacent, settleSeconds: settleSeconds)
    }

    @Test(arguments: [
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.CR3", time: 100), shot("img_1.jpg", time: 102)),
        (shot("IMG_1.HIF", time: 100, detectedAt: 500), shot("IMG_1.ARW", time: 100, detectedAt: 0)),
        (shot("capt0002.jpg", time: 100, isAdjacent: true), shot("capt0001.cr2", time: 101)),
        (shot("IMG_1.JPG", detectedAt: 1.9), shot("IMG_1.NEF")),
    ])
    func `pairs a RAW file and a picture of one shot`(new: File, earlier: File) {
        #expect(Self.arePair(new, earlier))
    }

    private static let taken: Int64 = 1_795_271_130
    /// Implausible times: 1979-11-30 and 2100-01-01.
    private static let implausibleTimes: [Int64] = [312_768_000, 4_102_444_800]

    @Test(arguments: implausibleTimes)
    func `pairs by name if one of two dates is implausible`(time: Int64) {
        let detectedAt = Double(Self.taken)
        let raw = Self.shot("DSC_1.NEF", time: time, detectedAt: detectedAt)
        let jpeg = Self.shot("DSC_1.JPG", time: Self.taken, detectedAt: detectedAt + 5)
        #expect(Self.arePair(raw, jpeg) && Self.arePair(jpeg, raw))
        let other = Self.shot("DSC_2.JPG", time: Self.taken, detectedAt: detectedAt)
        #expect(!Self.arePair(raw, other))
        let later = Self.shot("DSC_1.JPG", time: Self.taken + 7_200, detectedAt: detectedAt + 7_200)
        #expect(!Self.arePair(raw, later), "the camera may have restarted its numbering")
    }

    @Test(arguments: [
        ("DSC_1.WAV", 600 as Int64, 600.0, true), ("DSC_1.XMP", 0, 0, true), ("dsc_1.thm", -900, 5, true),
        ("DSC_1.NEF.XMP", 0, 0, true), ("DSC_1M01.XML", 30, 0, true), ("DSC_1.WAV", 90_000, 90_000, true),
        ("DSC_1.WAV", -90_000, 90_000, false), ("DSC_2.WAV", 0, 0, false), ("DSC_10.WAV", 0, 0, false),
        ("DSC_1.JPG", 0, 0, false),
    ])
    func `recognizes a companion by its stem, time and announcement`(
        name: String, apart: Int64, detectedAt: Double, isCompanion: Bool
    ) {
        let photo = Self.shot("DSC_1.NEF", time: Self.taken, detectedAt: Double(Self.taken)).record
        let file = Self.shot(name, time: Self.taken + apart, detectedAt: Double(Self.taken) + detectedAt)
            .record
        #expect(PairingRule.isCompanion(file, of: photo) == isCompanion)
        var elsewhere = file
        elsewhere.object.folder = "/e"
        #expect(!PairingRule.isCompanion(elsewhere, of: photo))
    }

    @Test(arguments: [
        // The same file number after the numbering wrapped around, or on another card.
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.CR3", time: 103)),
        (shot("IMG_1.JPG", time: 100), shot("IMG_1.JPG", time: 100)),
        (shot("IMG_1.NEF", time: 100), shot("IMG_1.DNG", time: 100)),
        (shot("IMG_2.JPG", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_2.JPG", time: 105, isAdjacent: true), shot("IMG_1.CR3", time: 100)),
        // A JPEG and the RAW file of the next shot of a burst.
        (shot("IMG_501.DNG", time: 100, isAdjacent: true), shot("IMG_500.JPG", time: 100)),
        (shot("IMG_1.MP4", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.XMP", time: 100), shot("IMG_1.CR3", time: 100)),
        (shot("IMG_1.JPG", detectedAt: 2.1), shot("IMG_1.NEF")),
        (shot("IMG_1.JPG", time: 100, detectedAt: 9), shot("IMG_1.NEF")),
        // Times outside the range of a clock.
        (shot("IMG_1.JPG", time: .min), shot("IMG_1.CR3", time: .max)),
        (shot("IMG_1.JPG", time: .min), shot("IMG_1.CR3", time: 0)),
    ])
    func `does not pair similar files of different shots`(new: File, earlier: File) {
        #expect(!Self.arePair(new, earlier))
    }
}
