import FrameFastModel
import Store
import Testing

@testable import UploadEngine

/// The words for held photos.
@Suite struct HeldPhotosTests {
    private static func photos(_ counts: [UploadHold: Int]) throws -> HeldPhotos {
        try #require(HeldPhotos(FailureBoardTests.holds(counts)))
    }

    @Test func `without held photos there is nothing to say`() {
        #expect(HeldPhotos([:]) == nil)
        #expect(HeldPhotos([.offline: UploadCounts.Sum()]) == nil)
    }

    @Test(arguments: UploadHold.allCases)
    func `one reason has its own sentence and its own next step`(hold: UploadHold) throws {
        let photos = try Self.photos([hold: 2])
        #expect(photos.sentence("nas") == "2 photos for nas are held. \(hold.sentence)")
        #expect(photos.nextStep == hold.nextStep)
    }

    @Test func `an earlier client's photos are named first, with their own count`() throws {
        let photos = try Self.photos([.offline: 10, .unsorted: 3])
        #expect(
            photos.sentence("nas") == "3 photos for nas are held. \(UploadHold.unsorted.sentence) "
                + "10 more photos are held. \(UploadHold.offline.sentence)")
        #expect(
            photos.nextStep
                == "\(UploadHold.unsorted.nextStep) For 10 photos: release the photos, or switch the "
                + "session to another mode. 'framefast queue release' releases only the other 10.")
    }

    @Test(arguments: [UploadHold.jpegFirst, .scheduled])
    func `a mode that needs nothing to do does not hide the question`(hold: UploadHold) throws {
        let photos = try Self.photos([hold: 10, .unsorted: 1])
        #expect(photos.sentence("nas").hasPrefix("1 photo for nas is held. "))
        #expect(photos.nextStep.hasPrefix(UploadHold.unsorted.nextStep))
    }

    @Test func `more photos come first, and a release of all says so`() throws {
        let photos = try Self.photos([.person: 1, .offline: 2])
        #expect(
            photos.sentence("nas") == "2 photos for nas are held. \(UploadHold.offline.sentence) "
                + "1 more photo is held. \(UploadHold.person.sentence)")
        #expect(
            photos.nextStep.hasSuffix(
                "For 1 photo: release the photo. 'framefast queue release' releases all 3."))
    }
}
