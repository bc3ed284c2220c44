import Testing
import TextForms

/// Tests of the conversion between text and sizes or durations.
@Suite struct QuantityTextTests {
    @Test(
        arguments: [
            ("2 GiB", 2_147_483_648), ("500MB", 500_000_000), ("1.5 kib", 1536), ("0", 0), ("4096", 4096),
            ("7 B", 7),
            ("", nil), ("GiB", nil), ("2 GiBs", nil), ("-1 GB", nil), ("1e3", nil), ("9999999 TiB", nil),
            ("1.2.3 MB", nil),
        ] as [(String, Int64?)])
    func `parses sizes with decimal and binary units`(text: String, bytes: Int64?) {
        #expect(ByteSizeText.bytes(of: text) == bytes)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (2_147_483_648, "2.1 GB"),
            (500_000_000, "500.0 MB"), (4_300_000_000_000, "4.3 TB"),
            (999_949, "999.9 kB"), (999_950, "1.0 MB"), (999_999_999, "1.0 GB"), (950_000, "950.0 kB"),
            (1, "1 B"),
        ] as [(Int64, String)])
    func `formats sizes in decimal units`(bytes: Int64, text: String) {
        #expect(ByteSizeText.text(of: bytes) == text)
        #expect(ByteSizeText.text(of: UInt64(bytes)) == text)
    }

    @Test(
        arguments: [
            ("2 s", .seconds(2)), ("500ms", .milliseconds(500)), ("1.5 min", .seconds(90)),
            ("1 h", .seconds(3600)), ("30d", .seconds(2_592_000)), ("30 d", .seconds(2_592_000)),
            ("12h", .seconds(43_200)), ("2w", .seconds(1_209_600)), ("0d", .zero),
            ("36500 d", .seconds(36_500 * 86_400)), ("36501 d", nil), ("9999999999w", nil),
            ("99999999999999999999d", nil), ("2", nil), ("two s", nil), ("2 S", nil), ("-3d", nil),
            ("3 months", nil), ("d", nil), ("", nil),
        ] as [(String, Duration?)])
    func `parses durations with their units`(text: String, duration: Duration?) {
        #expect(DurationText.duration(of: text) == duration)
    }

    @Test(arguments: [("60", Duration?.some(.seconds(60))), ("2 min", .seconds(120)), ("", nil), ("s", nil)])
    func `uses the default unit for a number without a unit`(text: String, duration: Duration?) {
        #expect(DurationText.duration(of: text, bareUnit: "s") == duration)
    }
}
