import FrameFastModel
import Testing

@Suite struct CameraObjectTests {
    @Test(arguments: [("/store_00010001/DCIM/100CANON", "store_00010001"), ("/", ""), ("/capt", "")])
    func `returns the storage from the first part of the folder`(folder: String, storage: String) {
        #expect(CameraObject(folder: folder, name: "a", size: 1, cameraTime: nil).storage == storage)
    }
}
