import Testing

@testable import CameraWorker
@testable import FrameFastModel

/// Tests of which value the worker sends to the driver for a change.
@Suite struct SettingChoiceTests {
    private static let aperture = SettingProfile(names: ["f-number"], onlyInModes: ["A", "M"])
    private static let quality = SettingProfile(
        names: ["imagequality"], driverValues: ["raw": ["NEF (Raw)"], "jpeg-fine": ["JPEG Fine"]])

    private static func setting(
        _ key: CameraSettingKey?, _ profile: SettingProfile, now: String, _ choices: [String] = [],
        range: CameraSetting.Range? = nil, writable: CameraSetting.Writable = .yes
    ) -> CameraSetting {
        func value(_ word: String) -> CameraSettingValue? { key.flatMap { profile.value(of: word, for: $0) } }
        return CameraSetting(
            key: key, name: profile.names[0], value: value(now), word: now,
            choices: choices.map { CameraSetting.Choice(value: value($0), word: $0) }, range: range,
            writable: writable)
    }

    private static func choice(
        _ wanted: String, _ setting: CameraSetting, _ profile: SettingProfile?, nearest: Bool = false
    ) -> SettingChoice {
        SettingChoice.choose(
            CameraSettingChange(name: setting.key?.rawValue ?? setting.name, value: wanted), now: setting,
            profile: profile, mode: "P", takesNearest: nearest)
    }

    private static let stops = ["f/2.8", "f/4", "f/5.6"]

    @Test(arguments: [
        ("4", false, "f/4", "4", false), ("f/5.6", false, "f/5.6", "5.6", false),
        ("5", true, "f/5.6", "5.6", true), ("32", true, "f/5.6", "5.6", true),
    ])
    func `sends the driver value for the requested or the nearest value`(
        wanted: String, nearest: Bool, word: String, value: String, isNearest: Bool
    ) throws {
        let now = Self.setting(.aperture, Self.aperture, now: "f/2.8", Self.stops)
        let choice = Self.choice(wanted, now, Self.aperture, nearest: nearest)
        #expect(
            choice
                == .send(
                    word: word, value: CameraSettingValue(value, for: .aperture), isNearest: isNearest))
    }

    @Test func `does not send a value that the camera already has`() {
        for writable in [CameraSetting.Writable.yes, .no, .unknown] {
            let now = Self.setting(.aperture, Self.aperture, now: "f/4", Self.stops, writable: writable)
            #expect(Self.choice("4.0", now, Self.aperture) == .unchanged(isNearest: false))
        }
        let now = Self.setting(.aperture, Self.aperture, now: "f/4", Self.stops)
        #expect(Self.choice("4.3", now, Self.aperture, nearest: true) == .unchanged(isNearest: true))
    }

    @Test func `names the mode in which a setting is read-only`() {
        let now = Self.setting(.aperture, Self.aperture, now: "f/2.8", Self.stops, writable: .no)
        #expect(
            Self.choice("4", now, Self.aperture)
                == .rejected(.readOnly, reason: "The camera does not allow changing this in mode P."))
    }

    @Test func `reports an unavailable value with the nearest available value`() {
        let now = Self.setting(.aperture, Self.aperture, now: "f/2.8", Self.stops)
        #expect(
            Self.choice("5", now, Self.aperture)
                == .rejected(
                    .unsupported,
                    reason: "The camera does not offer 5 right now; the nearest available value is 5.6."))
        guard case .rejected(.unsupported, let reason) = Self.choice("wide", now, Self.aperture) else {
            Issue.record("an unknown value was accepted")
            return
        }
        #expect(reason.contains("5.6"))
        let quality = Self.setting(.quality, Self.quality, now: "NEF (Raw)", ["NEF (Raw)", "JPEG Fine"])
        #expect(
            Self.choice("heif", quality, Self.quality, nearest: true)
                == .rejected(.unsupported, reason: "The camera does not offer heif right now."))
    }

    @Test func `sends a driver value that has no FrameFast value`() throws {
        let now = Self.setting(.quality, Self.quality, now: "NEF (Raw)", ["NEF (Raw)", "TIFF (RGB)"])
        #expect(
            Self.choice("tiff (rgb)", now, Self.quality)
                == .send(
                    word: "TIFF (RGB)", value: CameraSettingValue("tiff (rgb)", for: .quality),
                    isNearest: false))
        let tiff = Self.setting(.quality, Self.quality, now: "TIFF (RGB)", ["NEF (Raw)", "TIFF (RGB)"])
        #expect(Self.choice("TIFF (RGB)", tiff, Self.quality) == .unchanged(isNearest: false))
    }

    @Test(arguments: [
        ("5200", false, "5200", "5200"), ("5230", true, "5200", "5200"), ("20000", true, "9900", "9900"),
    ])
    func `rounds a number to a step of its range if the client accepts the nearest value`(
        wanted: String, nearest: Bool, word: String, value: String
    ) {
        let kelvin = SettingProfile(names: ["colortemperature"])
        let now = Self.setting(
            .kelvin, kelvin, now: "5000", range: CameraSetting.Range(least: 2_500, most: 9_900, step: 100))
        #expect(
            Self.choice(wanted, now, kelvin, nearest: nearest)
                == .send(
                    word: word, value: CameraSettingValue(value, for: .kelvin), isNearest: wanted != value))
        if wanted != value {
            guard case .rejected(.unsupported, _) = Self.choice(wanted, now, kelvin) else {
                Issue.record("\(wanted) is not in the range")
                return
            }
        }
    }

    @Test func `rejects a number outside a range of numbers that are too large for an integer`() {
        let kelvin = SettingProfile(names: ["colortemperature"])
        let now = Self.setting(
            .kelvin, kelvin, now: "5000", range: CameraSetting.Range(least: 1e30, most: 2e30, step: 1))
        #expect(
            Self.choice("5200", now, kelvin)
                == .rejected(.unsupported, reason: "The camera does not offer 5200 right now."))
    }

    @Test func `sends any new value as given if the client uses the driver's setting name`() {
        let profile = SettingProfile(names: ["evstep"])
        let now = Self.setting(nil, profile, now: "1/3", ["1/3", "1/2"])
        #expect(
            Self.choice("Unknown value 005d", now, nil)
                == .send(word: "Unknown value 005d", value: nil, isNearest: false))
        #expect(Self.choice("1/3", now, nil) == .unchanged(isNearest: false))
    }

    @Test func `steps through values one at a time if the profile requires it`() {
        let walking = SettingProfile(names: ["f-number"], changesInSteps: true)
        let choices = ["f/2.8", "f/3.2", "f/3.5", "f/4"]
        #expect(walking.step(from: "f/2.8", to: "f/4", among: choices) == "f/3.2")
        #expect(walking.step(from: "f/4", to: "f/3.5", among: choices) == "f/3.5")
        #expect(walking.step(from: "f/1.8", to: "f/4", among: choices) == "f/4")
        #expect(SettingProfile(names: ["f-number"]).step(from: "f/2.8", to: "f/4", among: choices) == "f/4")
    }
}
