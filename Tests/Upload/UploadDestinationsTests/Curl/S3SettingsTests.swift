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

    /// Each row has the size in the settings, the index of the refused part, and the size of the parts of the
    /// interrupted upload. The photo has 12 GB.
    @Test(
        arguments: [
            (nil, 1_000, 8_388_608, true), (nil, 999, 8_388_608, false),
            // A new upload would have the same parts or smaller parts.
            (nil, 1_000, 12_000_000, false), (8_388_608, 1_000, 8_388_608, false),
            (6_000_000, 1_000, 8_388_608, false),
            // A person has increased the size after the refusal.
            (16_000_000, 1_000, 8_388_608, true),
        ] as [(UInt64?, Int, UInt64, Bool)])
    func `restarts an upload whose recorded parts are too many for the service`(
        setting: UInt64?, index: Int, recorded: UInt64, restarts: Bool
    ) {
        var settings = S3Settings(
            endpoint: "https://s3.example.org", bucket: "weddings", accessKey: "AK", secretKey: Secret("s"))
        settings.partBytes = setting
        #expect(settings.needsLargerParts(at: index, of: recorded, photoBytes: 12_000_000_000) == restarts)
    }
}
