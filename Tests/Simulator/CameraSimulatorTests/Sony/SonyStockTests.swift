import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

/// Tests that gphoto2 of the distribution treats the simulated Sony like a real Sony, including gphoto2's
/// bugs.
@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct SonyStockTests {
    private func simulator(
        _ generation: SonyGeneration = .new, stepMs: Int = 0
    ) throws -> (Simulator, StockDriver) {
        var options = SimulatorOptions()
        options.identity = CameraIdentity(.sony, serial: "SIM-SONY")
        options.identity.sonyGeneration = generation
        options.identity.sonyStepMs = stepMs
        options.server.port = 0
        options.sizes = 50_000...50_000
        let simulator = try Simulator(options)
        let port = try #require(UInt16(try simulator.start().split(separator: ":").last ?? ""))
        return (simulator, try StockDriver(port: port))
    }

    private func value(_ code: UInt16, _ simulator: Simulator) -> PropertyValue? {
        simulator.link.withCamera { $0.sony.settings[code]?.current }
    }

    @Test func `gphoto2 reads all settings with its own names`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let words: KeyValuePairs = [
            "iso": "400", "f-number": "f/2.8", "shutterspeed": "1/125", "exposurecompensation": "0",
            "expprogram": "M", "whitebalance": "Automatic", "imagequality": "Fine", "focusmode": "Automatic",
            "capturemode": "Single Shot", "d25a": "1",
        ]
        let (settings, _) = try driver.configure(words.map(\.key))
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == words.map(\.value))
        // All settings are writable. If the body lists no values, gphoto2 shows the driver's own table of
        // choices.
        #expect(settings.allSatisfy { !$0.isReadOnly && $0.choices.count > 1 })
    }

    @Test func `gphoto2 changes settings, the aperture in steps`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (settings, text) = try driver.configure([
            "d25a=1", "iso=800", "shutterspeed=1/250", "exposurecompensation=-0.3",
            "whitebalance=Shade", "imagequality=RAW", "focusmode=Manual", "f-number=f/4", "f-number",
        ])
        #expect(driver.status == 0, "\(text)")
        #expect(settings.map(\.current) == ["f/4"])
        let values: [UInt16: PropertyValue] = [
            0xD226: .u32(800), 0xD229: .u32(1 << 16 | 250), 0xD224: .i16(-300), 0x5005: .u16(0x8011),
            0x5004: .u8(0x10), 0x500A: .u16(1), 0x5007: .u16(400),
        ]
        for (code, expected) in values { #expect(value(code, simulator) == expected) }
    }

    @Test func `gphoto2 can't change settings while the body has priority`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (_, text) = try driver.configure(["d25a=0", "whitebalance=Shade"])
        #expect(driver.status != 0)
        #expect(text.contains("0x200f"))
        // For a setting with an older property, gphoto2 then tries the older property and reports only that
        // this property is missing.
        let (_, iso) = try driver.configure(["d25a=0", "iso=800"])
        #expect(driver.status != 0)
        #expect(iso.contains("Property 'iso' not found"))
        #expect(value(0x5005, simulator) == .u16(2))
        #expect(value(0xD226, simulator) == .u32(400))
    }

    @Test func `gphoto2 reports success for a setting that the body ignores`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (settings, _) = try driver.configure(["d25a=1", "expprogram=A", "expprogram"])
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == ["M"])
    }

    @Test func `gphoto2 records live view as a movie`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.run("--capture-movie=3")
        #expect(driver.status == 0)
        let movie = try #require(try driver.photos()["movie.mjpg"])
        let starts = movie.indices.filter { movie[$0...].starts(with: [0xFF, 0xD8]) }
        #expect(starts.count >= 3)
        #expect(simulator.link.withCamera { $0.sony.liveView.served } >= 3)
    }

    @Test func `gphoto2 steps an older body to the requested value`() throws {
        let (simulator, driver) = try simulator(.old, stepMs: 100)
        defer { simulator.stop() }
        let (settings, text) = try driver.configure([
            "d25a=1", "iso", "shutterspeed", "exposurecompensation",
            "iso=1600", "exposurecompensation=0.7", "f-number=f/4", "shutterspeed=1/500",
        ])
        #expect(driver.status == 0, "\(text)")
        #expect(settings.map(\.current) == ["400", "1/125", "0"])
        #expect(value(0xD21E, simulator) == .u32(1600))
        #expect(value(0x5010, simulator) == .i16(700))
        #expect(value(0x5007, simulator) == .u16(400))
        #expect(value(0xD20D, simulator) == .u32(1 << 16 | 500))
    }

    @Test func `gphoto2 waits for a change of quality and focus mode`() throws {
        let (simulator, driver) = try simulator(stepMs: 1_000)
        defer { simulator.stop() }
        let (settings, text) = try driver.configure([
            "d25a=1", "imagequality=RAW", "imagequality", "focusmode=Manual", "focusmode",
        ])
        #expect(driver.status == 0, "\(text)")
        #expect(settings.map(\.current) == ["RAW", "Manual"])
    }

    @Test func `gphoto2 moves the lens by the requested steps`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.run("--set-config", "manualfocus=-3", "--set-config", "manualfocus=5")
        #expect(driver.status == 0)
        #expect(simulator.link.withCamera { $0.sony.lens } == 2)
    }
}
