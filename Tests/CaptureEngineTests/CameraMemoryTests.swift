import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct CameraMemoryTests {
    @Test(arguments: [
        ("IMG_1.JPG", 100 as UInt64, 5 as Int64?, true, false), ("IMG_1.JPG", 100, nil, false, false),
        ("IMG_1.JPG", 100, nil, true, true), ("IMG_1.JPG", 0, 5, true, true), ("", 100, 5, true, true),
        ("<none>", 100, 5, true, true),
    ])
    func `an object without name, size or its time may be one whose facts were cut short`(
        name: String, size: UInt64, time: Int64?, givesTimes: Bool, isDoubtful: Bool
    ) {
        let object = CameraObject(folder: "/DCIM", name: name, size: size, cameraTime: time)
        #expect(CameraMemory.looksCutShort(object, givesTimes: givesTimes) == isDoubtful)
    }

    @Test(arguments: [
        ("/store_00010001/DCIM/100CANON", false), ("/", false), ("/store_00010001", false),
        ("/store_00010001/<none>/100CANON", true), ("/store_00010001//100CANON", true),
        ("/store_00010001/DCIM/", true), ("/store_00010001/DC\u{1}M", true),
        ("/store_00010001/DC\u{FFFD}", true), ("/store_00010001/<nonesuch>", false),
        ("/store_00010001/DCIM/Bilder für Anna", false), ("/store_00010001/DCIM/写真", false),
    ])
    func `an object in a folder whose name looks misread is doubted, one in any other is not`(
        folder: String, isDoubtful: Bool
    ) {
        let object = CameraObject(folder: folder, name: "IMG_1.JPG", size: 100, cameraTime: 5)
        #expect(CameraMemory.looksCutShort(object, givesTimes: true) == isDoubtful)
    }
}
