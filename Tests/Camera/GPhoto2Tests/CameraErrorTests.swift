import Testing

@testable import GPhoto2

@Suite struct CameraErrorTests {
    @Test(
        arguments: [
            (-53, "", .busy), (-110, "", .busy), (-52, "", .disconnected), (-10, "", .timeout),
            (-7, "", .linkTrouble),
            (-60, "", .permission), (-53, "LIBUSB_ERROR_ACCESS", .permission), (-105, "", .noDriver),
            (-108, "", .notFound), (-6, "", .unsupported), (-2, "", .badParameter), (-1, "", .refused),
            (-999, "", .refused),
        ] as [(Int32, String, CameraError.Kind)])
    func `every number of the library is of one kind`(code: Int32, text: String, kind: CameraError.Kind) {
        #expect(CameraError.Kind(code: code, text: text) == kind)
    }

    @Test(arguments: [
        ("ptpip:10.0.0.5", "ptpip:10.0.0.5"), ("ptpip:10.0.0.5:15741", "ptpip:10.0.0.5:15741:15741"),
        ("ptpip:10.0.0.5:1:2", "ptpip:10.0.0.5:1:2"), ("usb:001,004", "usb:001,004"),
    ])
    func `a network camera behind one port is asked for events there as well`(port: String, path: String) {
        #expect(DriverCatalogue.spelledOut(port) == path)
    }
}
