import Foundation
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

/// Tests that the distribution's gphoto2 treats the simulated Nikon like a real Nikon, including gphoto2's
/// bugs.
@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct NikonStockTests {
    private func simulator() throws -> (Simulator, StockDriver) {
        try StockDriver.with(CameraIdentity(.nikon, serial: "SIM-NIKON"))
    }

    private func body(_ simulator: Simulator) -> NikonBody { simulator.link.withCamera { $0.nikon } }

    private func runCommand(_ line: String, to simulator: Simulator) throws {
        _ = try simulator.run(ControlCommand(line))
    }

    @Test func `gphoto2 reads all settings with its own names`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let words: KeyValuePairs = [
            "iso": "400", "f-number": "f/2.8", "shutterspeed": "0.0040s", "shutterspeed2": "1/250",
            "exposurecompensation": "0", "expprogram": "M", "whitebalance": "Automatic",
            "imagequality": "JPEG Fine", "imagesize": "6048x4024", "capturemode": "Single Shot",
            "burstnumber": "1", "recordingmedia": "Card", "liveviewsize": "VGA", "maximumshots": "25",
        ]
        let (settings, _) = try driver.configure(words.map(\.key))
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == words.map(\.value))
        // The dial selects the mode as long as the client does not control the camera.
        let readOnly = zip(words.map(\.key), settings).filter(\.1.isReadOnly).map(\.0)
        #expect(readOnly == ["expprogram", "maximumshots"])
        #expect(settings[3].choices.first == "Bulb" && settings[3].choices.last == "1/8000")
    }

    @Test(arguments: [
        ("A", [true, false]), ("S", [false, true]), ("P", [true, true]), ("M", [false, false]),
    ])
    func `mode-controlled settings are read-only but keep their choices`(mode: String, isReadOnly: [Bool])
        throws
    {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("dial mode=\(mode)", to: simulator)
        let (settings, text) = try driver.configure(["shutterspeed2", "f-number", "f-number=f/8"])
        #expect(settings.map(\.isReadOnly) == isReadOnly)
        #expect(settings.allSatisfy { $0.choices.count > 20 })
        #expect(text.contains("is read only") == isReadOnly[1])
        #expect(body(simulator).settings[0x5007]?.current == .u16(isReadOnly[1] ? 280 : 800))
    }

    @Test func `gphoto2 changes settings, and the mode only under remote control`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.configure(["expprogram=A"])
        #expect(body(simulator).mode == .manual)
        let (settings, _) = try driver.configure([
            "iso=800", "f-number=f/5.6", "shutterspeed2=1/125", "whitebalance=Shade", "imagequality=NEF+Fine",
            "capturemode=Burst", "burstnumber=5", "controlmode=1", "expprogram=A",
            "exposurecompensation=-0.333",
            "shutterspeed",
        ])
        #expect(settings.map(\.current) == ["0.0080s"])
        let shown = body(simulator)
        #expect(shown.mode == .aperturePriority && shown.speed == NikonSpeed(1, 125))
        #expect(shown.settings[0x500F]?.current == .u16(800))
        #expect(shown.settings[0x5007]?.current == .u16(560))
        #expect(shown.settings[0x5010]?.current == .i16(-333))
        #expect(shown.settings[0x5018]?.current == .u16(5))
        // The driver returns control to the body.
        #expect(!shown.isRemote)
    }

    @Test func `live view by gphoto2 changes the capture target to memory permanently`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.run("--capture-movie=3")
        let pictures = try #require(try driver.photos()["movie.mjpg"])
        #expect(pictures.starts(with: [0xFF, 0xD8]))
        #expect(body(simulator).liveView.served >= 3)
        let (isTarget, isOn) = simulator.link.withCamera {
            ($0.nikon.destination == .host, $0.nikon.isLiveViewOn)
        }
        #expect(isTarget && !isOn)
    }

    @Test func `an overheated body refuses live view with the reason`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("hot on", to: simulator)
        let text = try driver.run("--set-config", "viewfinder=1")
        #expect(text.contains("Temperature too high"))
        #expect(!body(simulator).isLiveViewOn)
    }

    @Test func `a bulb exposure by gphoto2 does not restore mode, speed and control`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("dial mode=S", to: simulator)
        _ = try driver.configure(["bulb=1", "bulb=0"])
        let after = body(simulator)
        #expect(after.shutter.openTenths != nil && !after.shutter.isOpen)
        #expect(after.isRemote && after.mode == .manual && after.speed == nil)
    }

    @Test func `the lens moves only in live view and reports its limit`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (_, off) = try driver.configure(["manualfocusdrive=100"])
        #expect(off.contains("works only in LiveView"))
        let (_, text) = try driver.configure([
            "viewfinder=1", "manualfocusdrive=100", "manualfocusdrive=-1", "manualfocusdrive=5000",
        ])
        #expect(text.contains("stepping too small") && text.contains("at limit"))
        #expect(body(simulator).lens == NikonBody.lensEnd)
    }

    @Test(arguments: [("ok", 1), ("fail", 0)])
    func `a release requires focus`(focus: String, shots: Int) throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        try runCommand("af \(focus)", to: simulator)
        _ = try driver.run("--set-config", "autofocus=On", "--trigger-capture")
        #expect(simulator.link.withCamera { $0.statistics.shots } == shots)
    }
}
