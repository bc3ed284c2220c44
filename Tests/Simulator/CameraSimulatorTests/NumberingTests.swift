import Testing

@testable import CameraSimulator

@Suite struct NumberingTests {
    @Test(arguments: [
        (Maker.generic, "/store_00010001/DCIM/100MEDIA", "IMG_0001.JPG"),
        (.canon, "/store_00010001/DCIM/100CANON", "IMG_0001.JPG"),
        (.nikon, "/store_00010001/DCIM/100NZ6_2", "DSC_0001.JPG"),
    ])
    func `folder and file names follow the maker's pattern`(maker: Maker, folder: String, name: String) throws
    {
        var test = TestCamera(maker)
        let photo = try #require(try test.camera.shoot(at: TestCamera.noon).first)
        #expect(test.camera.card.path(of: photo) == folder)
        #expect(photo.name.string == name)
    }

    @Test func `numbering continues with 0001 in a new folder after 9999`() throws {
        var test = TestCamera(firstNumber: 9998)
        let names = try (0..<4).map { _ in
            let photo = try #require(try test.camera.shoot(at: TestCamera.noon).first)
            return test.camera.card.path(of: photo).suffix(8) + "/" + photo.name.string
        }
        #expect(
            names == [
                "100MEDIA/IMG_9998.JPG", "100MEDIA/IMG_9999.JPG", "101MEDIA/IMG_0001.JPG",
                "101MEDIA/IMG_0002.JPG",
            ]
        )
    }

    @Test func `both files of a pair have the same number`() throws {
        var test = TestCamera(.canon, recording: .pair)
        let names = try test.camera.shoot(at: TestCamera.noon).map(\.name.string)
        #expect(names == ["IMG_0001.CR3", "IMG_0001.JPG"])
    }

    @Test(
        arguments: [
            (#"a\u0000b"#, [0x61, 0, 0x62]), (#"\ud800x"#, [0xD800, 0x78]),
            (#"\\u0041"#, [0x5C, 0x75, 0x30, 0x30, 0x34, 0x31]),
            (#"\n\t\r"#, [10, 9, 13]), (#"\uZZ"#, [0x5C, 0x75, 0x5A, 0x5A]), ("", []),
        ] as [(String, [UInt16])])
    func `a name may contain escapes`(spelling: String, units: [UInt16]) {
        #expect(CameraText(escaped: spelling).units == units)
    }

    @Test func `the JSON of a name preserves every UTF-16 unit`() {
        #expect(CameraText(escaped: #"a"\\\u001b\ud800"#).json == #""a\"\\\u001b\ud800""#)
    }
}
