import FrameFastModel
import Makers
import Testing

/// Tests that the profiles map the driver's setting values to FrameFast's values and back.
@Suite struct DriverValueTests {
    private let rows: [MakerProfile]
    init() throws { rows = try KnowledgeBase.bundled().profiles }

    private func settings(_ maker: String) throws -> [CameraSettingKey: SettingProfile] {
        let maker = maker.lowercased()
        return try #require(
            rows.first { $0.names.contains { maker.hasPrefix($0.lowercased()) } }?.profile.settings)
    }

    @Test func `driver values are unique and map to valid FrameFast values`() {
        for row in rows {
            for (key, profile) in row.profile.settings ?? [:] {
                let values = (profile.driverValues ?? [:]).values.flatMap(\.self)
                #expect(Set(values).count == values.count, "\(row.names) \(key)")
                #expect(!profile.names.isEmpty && Set(profile.names).count == profile.names.count)
                for ours in (profile.driverValues ?? [:]).keys {
                    #expect(CameraSettingValue(ours, for: key)?.text == ours, "\(row.names) \(key) \(ours)")
                }
                for mode in profile.onlyInModes ?? [] {
                    #expect(
                        row.profile.settings?[.mode]?.driverValues?[mode] != nil,
                        "\(row.names) \(key) \(mode)")
                }
            }
        }
    }

    @Test func `no property code belongs to two settings`() {
        for row in rows {
            let codes = (row.profile.settings ?? [:]).values.flatMap { $0.codes ?? [] }
            #expect(Set(codes).count == codes.count, "\(row.names)")
        }
    }

    /// Driver values of libgphoto2 2.5.30 (tables of camlibs/ptp2/config.c) and their meaning. Short names of
    /// Canon's qualities are from 2.5.32 and newer.
    static let values: [(String, CameraSettingKey, String, String)] = [
        ("Canon", .mode, "TV", "S"), ("Canon", .mode, "Manual", "M"), ("Canon", .mode, "Fv", "flexible"),
        ("Canon", .shutter, "1/125", "1/125"), ("Canon", .shutter, "bulb", "bulb"),
        ("Canon", .shutter, "0.8", "0.8"),
        ("Canon", .aperture, "implicit auto", "auto"), ("Canon", .aperture, "5.6", "5.6"),
        ("Canon", .exposureCompensation, "-0.6", "-0.7"), ("Canon", .iso, "Auto", "auto"),
        ("Canon", .quality, "cRAW + Medium Fine JPEG", "craw+jpeg-fine-m"),
        ("Canon", .quality, "RAW + Large Fine JPEG", "raw+jpeg-fine"),
        ("Canon", .quality, "RAW", "raw"), ("Canon", .quality, "L", "jpeg-fine"),
        ("Canon", .quality, "cS1", "jpeg-normal-s"), ("Canon", .quality, "M1", "jpeg-fine-m"),
        ("Canon", .quality, "RAW + S1", "raw+jpeg-fine-s"), ("Canon", .quality, "RAW + S", "raw+jpeg-fine-s"),
        ("Canon", .quality, "cRAW + cM", "craw+jpeg-normal-m"),
        ("Canon", .whiteBalance, "Shadow", "shade"), ("Canon", .drive, "Timer 2 sec", "timer-2"),
        ("Canon", .metering, "Evaluative", "matrix"), ("Canon", .focusMode, "AI Servo", "af-c"),
        ("Nikon", .shutter, "0.0080s", "1/125"), ("Nikon", .shutter, "10/13", "0.8"),
        ("Nikon", .shutter, "Time", "time"), ("Nikon", .aperture, "f/5.6", "5.6"),
        ("Nikon", .exposureCompensation, "0.333", "+0.3"), ("Nikon", .mode, "U1", "c1"),
        ("Nikon", .quality, "NEF+Fine", "raw+jpeg-fine"), ("Nikon", .focusMode, "MF (selection)", "manual"),
        ("Nikon", .whiteBalance, "Natural light auto", "auto"),
        ("Nikon", .drive, "Quiet Release", "silent"),
        ("Nikon", .captureTarget, "SDRAM", "computer"),
        ("Sony", .shutter, "4/10", "0.4"), ("Sony", .shutter, "Bulb", "bulb"),
        ("Sony", .iso, "Auto ISO", "auto"),
        ("Sony", .quality, "RAW+JPEG (Std)", "raw+jpeg-normal"),
        ("Sony", .mode, "Intelligent Auto", "auto"),
        ("Sony", .whiteBalance, "Choose Color Temperature", "kelvin"), ("Sony", .focusMode, "DMF", "dmf"),
        ("Sony", .kelvin, "5200", "5200"), ("Sony", .captureTarget, "17", "both"),
        ("FUJIFILM", .iso, "-2", "auto2"), ("FUJIFILM", .shutter, "60m", "3600"),
        ("FUJIFILM", .quality, "RAW + JPEG Fine", "raw+jpeg-fine"),
        ("FUJIFILM", .drive, "Single frame", "single"), ("FUJIFILM", .liveViewSize, "XGA", "large"),
        ("Panasonic", .whiteBalance, "Flourescent", "fluorescent"), ("Panasonic", .shutter, "1/60", "1/60"),
        ("Panasonic", .exposureCompensation, "0.333333", "+0.3"), ("Panasonic", .focusMode, "MF", "manual"),
        ("OLYMPUS", .quality, "Large Fine JPEG+RAW", "raw+jpeg-fine"),
        ("OLYMPUS", .metering, "ESP", "matrix"),
        ("OLYMPUS", .whiteBalance, "Underwater", "underwater"), ("OLYMPUS", .focusMode, "C-AF", "af-c"),
        ("Leica", .mode, "A", "A"), ("Leica", .focusMode, "Manual", "manual"),
        ("Leica", .flash, "Fill flash", "fill"),
        ("Leica", .shutter, "0.0008s", "1/1250"),
    ]

    @Test(arguments: values)
    func `maps a driver value to a setting value and back`(
        maker: String, key: CameraSettingKey, driverValue: String, ours: String
    ) throws {
        let profile = try #require(settings(maker)[key])
        let value = try #require(profile.value(of: driverValue, for: key))
        #expect(value.text == ours)
        #expect(profile.driverValue(for: value, of: key, among: ["nothing", driverValue]) == driverValue)
    }
}
