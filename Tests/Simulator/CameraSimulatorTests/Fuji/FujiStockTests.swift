import Foundation
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

/// Tests that gphoto2 of the distribution treats the simulated Fujifilm like a real Fujifilm, including
/// gphoto2's bugs.
@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct FujiStockTests {
    private func simulator() throws -> (Simulator, StockDriver) {
        try StockDriver.with(CameraIdentity(.fuji, serial: "SIM-FUJI"))
    }

    private func body(_ simulator: Simulator) -> FujifilmBody { simulator.link.withCamera { $0.fuji } }

    private func runCommand(_ line: String, to simulator: Simulator) throws {
        _ = try simulator.run(ControlCommand(line))
    }

    @Test func `gphoto2 reads all settings with its own names`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let words: KeyValuePairs = [
            "iso": "400", "f-number": "f/2.8", "shutterspeed": "1/250", "exposurecompensation": "0",
            "expprogram": "M", "whitebalance": "Automatic", "imageformat": "JPEG Fine",
            "capturemode": "Single frame", "colortemperature": "5200", "focusmode": "Single-Servo AF",
            "liveviewsize": "VGA", "filmsimulation": "PROVIA/Standard",
        ]
        let (settings, _) = try driver.configure(words.map(\.key))
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == words.map(\.value))
        #expect(settings[0].choices.prefix(4) == ["-1", "-2", "-3", "160"])
        #expect(settings[2].choices.first == "bulb" && settings[2].choices.contains("30s"))
        let readOnly = zip(words.map(\.key), settings).filter(\.1.isReadOnly).map(\.0)
        #expect(readOnly == ["expprogram"])
    }

    @Test func `gphoto2 changes the settings of the body`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (settings, _) = try driver.configure([
            "prioritymode=USB", "iso=-2", "f-number=f/5.6", "shutterspeed=1/125", "whitebalance=Shade",
            "imageformat=RAW + JPEG Fine", "capturemode=Continuous low speed", "exposurecompensation=-0.333",
            "iso",
        ])
        #expect(settings.map(\.current) == ["-2"])
        let shown = body(simulator).settings
        #expect(shown[0x5007]?.current == .u16(560) && shown[0x500D]?.current == .u32(7_812))
        #expect(shown[0x5005]?.current == .u16(0x8006) && shown[0xD018]?.current == .u16(4))
        #expect(shown[0xD201]?.current == .u16(2) && shown[0x5010]?.current == .i16(-333))
    }

    @Test func `gphoto2 takes no photo in the session of a live-view movie`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.run("--capture-movie=3", "--trigger-capture")
        let movie = try #require(try driver.photos()["movie.mjpg"])
        #expect(movie.starts(with: [0xFF, 0xD8]))
        #expect(body(simulator).liveView.served >= 3)
        // gphoto2 ends the open capture only with the session.
        #expect(simulator.link.withCamera { $0.statistics.shots } == 0)
        _ = try driver.run("--trigger-capture")
        #expect(simulator.link.withCamera { $0.statistics.shots } == 1)
    }

    @Test(arguments: [("bulb", true), ("1/125", false)])
    func `bulb requires the shutter speed bulb`(speed: String, isOpened: Bool) throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("dial shutter=\(speed)", to: simulator)
        _ = try driver.configure(["bulb=1", "bulb=0"])
        #expect((body(simulator).shutter.openTenths != nil) == isOpened)
    }

    @Test func `a release without focus fails`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("af fail", to: simulator)
        let text = try driver.run("--set-config", "autofocusdrive=1")
        #expect(text.contains("Perhaps no auto-focus"))
    }
}
