import FrameFastModel
import Store
import Testing

@testable import UploadEngine

/// Tests of the texts of the condition about held photos.
@Suite struct HeldPhotosTests {
    private static func photos(_ counts: [UploadHold: Int]) throws -> HeldPhotos {
        try #require(HeldPhotos(QueueConditionsTests.holds(counts)))
    }

    @Test func `returns nil without held photos`() {
        #expect(HeldPhotos([:]) == nil)
        #expect(HeldPhotos([.offline: UploadCounts.Sum()]) == nil)
    }

    @Test(arguments: UploadHold.allCases)
    func `a single hold reason uses its own sentence and next step`(hold: UploadHold) throws {
        let photos = try Self.photos([hold: 2])
        #expect(photos.sentence("nas") == "2 photos for nas are held. \(hold.sentence)")
        #expect(photos.nextStep == hold.nextStep)
    }

    @Test func `reports unsorted photos before offline photos`() throws {
        let photos = try Self.photos([.offline: 10, .unsorted: 3])
        #expect(
            photos.sentence("nas") == "3 photos for nas are held. \(UploadHold.unsorted.sentence) "
                + "10 more photos are held. \(UploadHold.offline.sentence)")
        #expect(
            photos.nextStep
                == "\(UploadHold.unsorted.nextStep) For 10 photos: release the photos, or switch the "
                + "session to another mode. 'framefast queue release' releases only the other 10 photos.")
    }

    @Test(arguments: [UploadHold.jpegFirst, .scheduled])
    func `lists photos that need a decision before automatic holds`(hold: UploadHold) throws {
        let photos = try Self.photos([hold: 10, .unsorted: 1])
        #expect(photos.sentence("nas").hasPrefix("1 photo for nas is held. "))
        #expect(photos.nextStep.hasPrefix(UploadHold.unsorted.nextStep))
    }

    @Test func `reports the hold reason with the most photos first`() throws {
        let photos = try Self.photos([.person: 1, .offline: 2])
        #expect(
            photos.sentence("nas") == "2 photos for nas are held. \(UploadHold.offline.sentence) "
                + "1 more photo is held. \(UploadHold.person.sentence)")
        #expect(
            photos.nextStep.hasSuffix(
                "For 1 photo: release the photo to upload it. 'framefast queue release' releases all 3 photos."
            ))
    }
}
