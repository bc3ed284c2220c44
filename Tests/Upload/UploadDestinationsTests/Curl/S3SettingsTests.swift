import Testing

@testable import UploadDestinations

@Suite struct S3SettingsTests {
    /// Each row has the size in the settings and the size of the photo, in bytes. Then follow the expected
    /// size and number of the parts.
    @Test(
        arguments: [
            (nil, 30_000_000, 8_388_608, 4),
            (nil, 8_388_608_000, 8_388_608, 1_000), (nil, 8_388_608_001, 8_388_609, 1_000),
            (nil, 90_000_000_000, 90_000_000, 1_000),
            // A size in the settings may need more parts than Scaleway allows.
            (16_000_000, 90_000_000_000, 16_000_000, 5_625),
            (5_242_880, 90_000_000_000, 9_000_000, 10_000), (1, 30_000_000, 5_242_880, 6),
        ] as [(UInt64?, UInt64, UInt64, UInt64)])
    func `limits the number of parts by the size of each part`(
        setting: UInt64?, photo: UInt64, part: UInt64, parts: UInt64
    ) {
        var settings = S3Settings(
            endpoint: "https://s3.example.org", bucket: "weddings", accessKey: "AK", secretKey: Secret("s"))
        settings.partBytes = setting
        #expect(settings.partBytes(of: photo) == part)
        #expect((photo + part - 1) / part == parts)
    }
}
