import FrameFastModel
import Testing

@Suite struct ExposureLineTests {
    private static func setting(_ key: CameraSettingKey, _ value: String) -> CameraSetting {
        CameraSetting(
            key: key, name: key.rawValue, value: CameraSettingValue(value, for: key), word: value,
            writable: .yes)
    }

    @Test(
        arguments: [
            (
                "1/125 f/5.6 ISO 400 AWB RAW+J",
                [
                    .shutter: "1/125", .aperture: "5.6", .iso: "400", .whiteBalance: "auto",
                    .quality: "raw+jpeg-fine", .mode: "M", .exposureCompensation: "0",
                ]
            ),
            (
                "30s f/16 ISO auto +0.7 EV 5200 K JPEG",
                [
                    .shutter: "30", .aperture: "16", .iso: "auto", .whiteBalance: "kelvin", .kelvin: "5200",
                    .quality: "jpeg-normal-m", .exposureCompensation: "0.666",
                ]
            ),
            (
                "bulb f/8 daylight CRAW+J",
                [.shutter: "bulb", .aperture: "8", .whiteBalance: "daylight", .quality: "craw+jpeg-fine"]
            ),
            // The camera sets aperture and shutter speed automatically.
            ("ISO 100", [.shutter: "auto", .aperture: "auto", .iso: "100"]),
        ] as [(String, [CameraSettingKey: String])])
    func `formats the exposure in the usual notation`(
        line: String, values: [CameraSettingKey: String]
    ) {
        let settings = values.reduce(into: [:]) { $0[$1.key] = Self.setting($1.key, $1.value) }
        #expect(ExposureLine(settings)?.text == line)
    }

    @Test func `truncates a driver's value that has no translation`() {
        let word = CameraSetting(
            key: .shutter, name: "s", value: nil, word: "Unknown value 005d", writable: .unknown)
        let line = ExposureLine([.shutter: word])
        #expect(line?.value(.shutter) == "Unknown value 005d")
        #expect(line?.text == "Unknown value 00")
    }

    @Test func `returns nil without shutter, aperture and ISO`() {
        #expect(ExposureLine([:]) == nil)
        #expect(ExposureLine([.mode: Self.setting(.mode, "M")]) == nil)
    }
}
