import Testing

@testable import CameraSimulator

@Suite struct WallTimeTests {
    @Test(arguments: [
        (0, 0, "19700101T000000", "1970:01:01 00:00:00"),
        (951_782_400_000, 0, "20000229T000000", "2000:02:29 00:00:00"),
        (1_709_251_199_999, 25_200, "20240301T065959", "2024:03:01 06:59:59"),
        (1_735_689_599_000, -3600, "20241231T225959", "2024:12:31 22:59:59"),
    ])
    func `formats a moment by the camera's clock`(ms: Int64, offset: Int, ptp: String, exif: String) {
        let time = WallTime(hostMs: ms, offsetSeconds: offset)
        #expect(time.ptp == ptp)
        #expect(time.exif == exif)
        #expect(WallTime.cameraSeconds(ptp: ptp) == time.cameraSeconds)
    }

    @Test(arguments: ["", "20240101", "20241301T000000", "20240101X000000", "2024010aT000000"])
    func `refuses text that is not a PTP time`(text: String) {
        #expect(WallTime.cameraSeconds(ptp: text) == nil)
    }
}
