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
}
