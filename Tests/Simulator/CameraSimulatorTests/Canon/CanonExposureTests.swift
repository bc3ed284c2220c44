import Testing

@testable import CameraSimulator

@Suite struct CanonExposureTests {
    /// The arguments cover both ends of each scale.
    @Test(
        arguments: [
            ("shutter", "30", "aperture", "1.8", "iso", "100"),
            ("shutter", "0.3", "aperture", "5.6", "iso", "400"),
            ("shutter", "1/4", "aperture", "7.1", "iso", "1250"),
            ("shutter", "1/8000", "aperture", "22", "iso", "25600"),
        ] as [(String, String, String, String, String, String)])
    func `converts the dials to the exposure of a photo`(
        shutter: String, time: String, aperture: String, number: String, iso: String, speed: String
    ) throws {
        var dials = CanonDials()
        for (name, word) in [(shutter, time), (aperture, number), (iso, speed)] {
            let (code, value) = try #require(CanonDialText.setting(name, word))
            dials[code] = value
        }
        let exposure = dials.exposure
        let seconds = Double(exposure.seconds.numerator) / Double(exposure.seconds.denominator)
        let parts = time.split(separator: "/").compactMap { Double($0) }
        #expect(abs(seconds - (parts.count == 2 ? parts[0] / parts[1] : parts[0])) < 1e-9)
        #expect(Double(exposure.fNumber.numerator) / Double(exposure.fNumber.denominator) == Double(number))
        #expect(exposure.iso == UInt16(speed))
    }

    @Test func `the exposure time of a bulb shot is the time for which the shutter was open`() {
        var client = EOSClient()
        _ = client.set(0xD102, to: 0x0C)
        client.send(.canonBulbStart)
        client.now.hostMs += 2_300
        client.send(.canonBulbEnd)
        #expect(client.test.camera.canon.exposure.seconds == ShotExposure.Fraction(23, 10))
    }

    @Test func `a shot creates the files of the image format`() throws {
        var client = EOSClient()
        func names() -> [String] { client.test.camera.card.files.map(\.name.string) }
        client.send(.canonRemoteReleaseOn, 3, 0)
        client.send(.canonRemoteReleaseOff, 3)
        #expect(names() == ["IMG_0001.JPG"])
        for format in [CanonImageFormat(.raw), CanonImageFormat(.raw, .largeFine)] {
            var out = ByteWriter()
            CanonValue.imageFormat(format).write(to: &out)
            let head: [UInt8] = [UInt8(8 + out.bytes.count), 0, 0, 0, 0x20, 0xD1, 0, 0]
            #expect(client.send(.canonSetDevicePropValueEx, data: head + out.bytes).response == .ok)
            client.send(.canonRemoteReleaseOn, 3, 0)
            client.send(.canonRemoteReleaseOff, 3)
        }
        #expect(names() == ["IMG_0001.JPG", "IMG_0002.CR3", "IMG_0003.CR3", "IMG_0003.JPG"])
    }
}
