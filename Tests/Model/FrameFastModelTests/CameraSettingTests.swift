import Foundation
import Testing

@testable import FrameFastModel

/// Tests of parsing setting values from drivers and people into FrameFast's format.
@Suite struct CameraSettingTests {
    typealias Key = CameraSettingKey

    @Test(arguments: [
        (Key.aperture, "f/5.6", "5.6"), (.aperture, "5.6", "5.6"), (.aperture, "F8", "8"),
        (.aperture, "8.0", "8"),
        (.shutter, "1/125", "1/125"), (.shutter, "0.0080s", "1/125"), (.shutter, "0.0016s", "1/640"),
        (.shutter, "13/10", "1.3"), (.shutter, "4/10", "0.4"), (.shutter, "0.8s", "0.8"),
        (.shutter, "30", "30"),
        (.shutter, "300/10", "30"), (.shutter, "2m", "120"), (.shutter, "60m", "3600"),
        (.shutter, "Bulb", "bulb"),
        (.shutter, "1/3", "0.3"), (.shutter, "0.3", "0.3"), (.shutter, "1/4", "1/4"),
        (.shutter, "0.25", "1/4"),
        (.exposureCompensation, "0.333", "+0.3"), (.exposureCompensation, "0.6", "+0.7"),
        (.exposureCompensation, "-1/3", "-0.3"), (.exposureCompensation, "+1 1/3", "+1.3"),
        (.exposureCompensation, "-0", "0"), (.exposureCompensation, "0.5", "+0.5"),
        (.exposureCompensation, "2", "+2"), (.exposureCompensation, "-1.9", "-2"),
        (.iso, "400", "400"), (.iso, "Auto", "auto"), (.iso, "auto2", "auto2"), (.kelvin, "5200", "5200"),
        (.mode, "p", "P"), (.mode, "Auto", "auto"), (.whiteBalance, "Daylight", "daylight"),
    ])
    func `parses different formats of a value to the same value`(key: Key, written: String, text: String)
        throws
    {
        let value = try #require(CameraSettingValue(written, for: key))
        #expect(value.text == text)
        #expect(
            CameraSettingValue(value.text, for: key) == value, "the text of a value parses to the same value")
    }

    @Test(arguments: [
        (Key.aperture, "0"), (.aperture, "f/"), (.aperture, "nan"), (.aperture, "wide"), (.shutter, "1/0"),
        (.shutter, "-1"), (.shutter, "0x10"), (.shutter, "1e3"), (.shutter, "99999"), (.shutter, ""),
        (.shutter, "1/125/3"), (.iso, "-100"), (.iso, "99999999999999999999"), (.iso, "4OO"),
        (.kelvin, "auto"),
        (.exposureCompensation, "11"), (.exposureCompensation, "--1"),
        (.mode, String(repeating: "x", count: 65)),
    ])
    func `parsing returns nil for an invalid value of a key`(key: Key, written: String) {
        #expect(CameraSettingValue(written, for: key) == nil)
    }

    @Test(arguments: [
        (Key.aperture, "6", ["4", "5.6", "8"], "5.6"),
        (.shutter, "1/100", ["1/60", "1/90", "1/125"], "1/90"),
        (.shutter, "40", ["bulb", "30", "15"], "30"), (.iso, "440", ["auto", "400", "500"], "400"),
        (.exposureCompensation, "+0.5", ["0", "+0.3", "+1"], "+0.3"),
    ])
    func `nearest returns the value with the smallest exposure difference`(
        key: Key, requested: String, offered: [String], nearest: String
    ) throws {
        let value = try #require(CameraSettingValue(requested, for: key))
        let values = offered.compactMap { CameraSettingValue($0, for: key) }
        #expect(value.nearest(of: key, among: values)?.text == nearest)
    }

    @Test func `nearest returns nil for a setting without numbers`() throws {
        let value = try #require(CameraSettingValue("daylight", for: .whiteBalance))
        #expect(value.nearest(of: .whiteBalance, among: [value]) == nil)
    }

    @Test(arguments: ["+05c", "-000", "05c", "d05g"])
    func `rejects a property code that is not four hexadecimal digits`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PropertyCode.self, from: Data("\"\(text)\"".utf8))
        }
    }

    @Test func `translates between the driver's values and FrameFast's values`() throws {
        let profile = SettingProfile(
            names: ["whitebalance"],
            driverValues: [
                "auto": ["Auto", "Automatic"], "fluorescent": ["Fluorescent: Day White", "Fluorescent"],
            ])
        #expect(profile.value(of: "Automatic", for: .whiteBalance)?.text == "auto")
        #expect(profile.value(of: "Preset 7", for: .whiteBalance) == nil)
        let auto = try #require(CameraSettingValue("AUTO", for: .whiteBalance))
        #expect(
            profile.driverValue(for: auto, of: .whiteBalance, among: ["Automatic", "Shade"]) == "Automatic")
        #expect(profile.driverValue(for: auto, of: .whiteBalance, among: []) == "Auto")
        #expect(profile.driverValue(for: auto, of: .whiteBalance, among: ["Shade"]) == nil)
    }

    @Test func `finds the driver's value for a shutter speed among the driver's choices`() throws {
        let profile = SettingProfile(names: ["shutterspeed"], driverValues: ["bulb": ["Bulb"]])
        let value = try #require(CameraSettingValue("1/125", for: .shutter))
        #expect(
            profile.driverValue(for: value, of: .shutter, among: ["0.0100s", "0.0080s", "Bulb"]) == "0.0080s")
        let bulb = try #require(CameraSettingValue("bulb", for: .shutter))
        #expect(profile.driverValue(for: bulb, of: .shutter, among: ["0.0080s", "Bulb"]) == "Bulb")
    }
}
