import Testing

@testable import GPhoto2

@Suite struct CameraErrorTests {
    @Test(
        arguments: [
            (-53, "", .busy), (-110, "", .busy), (-52, "", .disconnected), (-10, "", .timeout),
            (-7, "", .linkFailure),
            (-60, "", .permission), (-53, "LIBUSB_ERROR_ACCESS", .permission), (-105, "", .noDriver),
            (-108, "", .notFound), (-6, "", .unsupported), (-2, "", .badParameter), (-1, "", .refused),
            (-999, "", .refused),
        ] as [(Int32, String, CameraError.Kind)])
    func `maps libgphoto2 status codes to error kinds`(
        code: Int32, text: String, kind: CameraError.Kind
    ) {
        #expect(CameraError.Kind(code: code, text: text) == kind)
    }

    @Test(
        arguments: [
            ("The property 'ISO Speed' / 0xd103 was not set (0x2019: PTP Device Busy).", 0x2019),
            ("'x' / 0xd103 was not set (0x201c: Invalid Value).; Property 'iso' not found.", 0x201C),
            ("Unspecified error (PTP response 0xa002)", 0xA002),
            ("Sorry, the property 'ISO Speed' / 0xd103 is currently read-only.", nil),
            ("Unknown error (0x2019", nil), ("(0x: nothing)", nil), ("", nil),
        ] as [(String, UInt16?)])
    func `reads the PTP response code from the driver's text`(text: String, response: UInt16?) {
        #expect(CameraError(kind: .refused, code: -1, operation: "", text: text).response == response)
    }

    @Test(arguments: [
        ("ptpip:10.0.0.5", "ptpip:10.0.0.5"), ("ptpip:10.0.0.5:15741", "ptpip:10.0.0.5:15741:15741"),
        ("ptpip:10.0.0.5:1:2", "ptpip:10.0.0.5:1:2"), ("usb:001,004", "usb:001,004"),
    ])
    func `adds the event port to a network path with one port`(port: String, path: String) {
        #expect(DriverCatalog.withEventPort(port) == path)
    }
}
