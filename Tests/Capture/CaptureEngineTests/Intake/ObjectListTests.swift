import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct ObjectListTests {
    private static func object(
        _ name: String, folder: String = "/store_00010001/DCIM", size: UInt64 = 3, time: Int64? = 1
    ) -> CameraObject {
        CameraObject(folder: folder, name: name, size: size, cameraTime: time)
    }

    private let listing = ObjectList([object("A.JPG"), object("B.JPG", time: nil)])

    @Test(arguments: [
        // The object is missing and may be on another card.
        (object("C.JPG"), false),
        // The same path with other facts.
        (object("A.JPG", size: 4), true), (object("A.JPG", time: 2), true),
        // The same facts in another folder.
        (object("A.JPG", folder: "/store_00020001/DCIM"), true),
        (object("A.JPG", folder: "/store_00020001/DCIM", size: 4), false),
        (object("B.JPG", folder: "/store_00020001/DCIM", time: nil), false),
    ])
    func `an object is misread if the list has its path or its facts, but not both`(
        object: CameraObject, isMisread: Bool
    ) {
        #expect(!listing.contains(object))
        #expect(listing.showsMisread(object, isProbablyTruncated: false) == isMisread)
        #expect(listing.showsMisread(object, isProbablyTruncated: true))
    }

    @Test func `finds an object in another folder only if its time matches`() {
        #expect(listing.hasElsewhere(Self.object("A.JPG", folder: "/x")))
        #expect(!listing.hasElsewhere(Self.object("A.JPG", folder: "/x", time: 2)))
        #expect(!listing.hasElsewhere(Self.object("B.JPG", folder: "/x", time: nil)))
    }
}
