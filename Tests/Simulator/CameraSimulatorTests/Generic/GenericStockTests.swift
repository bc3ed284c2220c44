import Foundation
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

/// Tests that gphoto2 of the distribution controls a generic camera with standard PTP operations only.
@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct GenericStockTests {
    private func simulator() throws -> (Simulator, StockDriver) {
        try StockDriver.with(CameraIdentity(.generic, serial: "SIM-GENERIC"))
    }

    private func runCommand(_ line: String, to simulator: Simulator) throws {
        _ = try simulator.run(ControlCommand(line))
    }

    private func value(_ code: UInt16, of simulator: Simulator) -> PropertyValue? {
        simulator.link.withCamera { $0.generic.settings[code]?.current }
    }

    @Test func `gphoto2 reads all settings with its own names`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let words: KeyValuePairs = [
            "iso": "400", "f-number": "f/2.8", "shutterspeed": "0.0040s", "exposurecompensation": "0",
            "expprogram": "M", "whitebalance": "Automatic", "imagequality": "Unknown value 0001",
            "focusmode": "Automatic", "exposuremetermode": "Center Weighted", "capturemode": "Single Shot",
        ]
        let (settings, _) = try driver.configure(words.map(\.key))
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == words.map(\.value))
        #expect(settings.allSatisfy { !$0.isReadOnly && $0.choices.count > 2 })
    }

    @Test func `gphoto2 changes the settings that the mode permits`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (settings, text) = try driver.configure([
            "iso=800", "f-number=f/5.6", "shutterspeed=0.0080s", "whitebalance=Tungsten",
            "capturemode=Burst", "exposurecompensation=-1.5", "focusmode=Manual", "expprogram=S",
            "f-number", "shutterspeed", "f-number=f/8",
        ])
        #expect(settings.map(\.current) == ["f/5.6", "0.0080s"])
        #expect(settings.map(\.isReadOnly) == [true, false])
        #expect(settings[0].choices.count == 7)
        #expect(text.contains("is read only"))
        #expect(value(0x500F, of: simulator) == .u16(800) && value(0x5007, of: simulator) == .u16(560))
        #expect(value(0x500D, of: simulator) == .u32(80) && value(0x5005, of: simulator) == .u16(6))
        #expect(value(0x5013, of: simulator) == .u16(2) && value(0x5010, of: simulator) == .i16(-1500))
        #expect(value(0x500A, of: simulator) == .u16(1) && value(0x500E, of: simulator) == .u16(4))
    }

    @Test(arguments: ["2002", "2005", "2019", "200a", "200f", "201c"])
    func `gphoto2 reports the response code when the camera refuses a value`(answer: String) throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("refuse 500f \(answer)", to: simulator)
        let (_, text) = try driver.configure(["iso=800"])
        #expect(text.contains("was not set (0x\(answer):"))
        #expect(driver.status != 0)
        #expect(value(0x500F, of: simulator) == .u16(400))
    }

    @Test func `gphoto2 receives no live view but can take a photo`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let text = try driver.run("--capture-movie=3")
        #expect(text.contains("Movie capture finished (0 frames)"))
        #expect(simulator.link.withCamera { $0.statistics.shots } == 0)
        _ = try driver.run("--trigger-capture")
        #expect(simulator.link.withCamera { $0.statistics.shots } == 1)
    }
}
