import Foundation
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

/// Tests that gphoto2 of the distribution treats the simulated EOS like a real EOS, including gphoto2's bugs.
@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct CanonStockTests {
    private func simulator(
        displayVersion: UInt32 = 7, battery: EOSBattery = .percent, percent: Int = 80
    ) throws -> (Simulator, StockDriver) {
        var options = SimulatorOptions()
        options.identity = CameraIdentity(.canon, serial: "SIM-EOS")
        options.identity.eosDisplayVersion = displayVersion
        options.identity.eosBattery = battery
        options.battery = percent
        options.server.port = 0
        options.sizes = 50_000...50_000
        let simulator = try Simulator(options)
        let port = try #require(UInt16(try simulator.start().split(separator: ":").last ?? ""))
        return (simulator, try StockDriver(port: port))
    }

    private func body(_ simulator: Simulator) -> CanonBody { simulator.link.withCamera { $0.canon } }

    @Test func `gphoto2 reads all settings with its own names`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let words: KeyValuePairs = [
            "iso": "400", "aperture": "2.8", "shutterspeed": "1/250", "exposurecompensation": "0",
            "autoexposuremode": "Manual", "autoexposuremodedial": "Manual", "drivemode": "Single",
            "meteringmode": "Evaluative", "focusmode": "One Shot", "whitebalance": "Auto",
            "colortemperature": "5200", "whitebalanceadjusta": "0", "imageformat": "Large Fine JPEG",
            "liveviewsize": "val 0", "output": "Off", "evfmode": "0", "movierecordtarget": "None",
            "aeb": "off",
            "bracketmode": "Unknown value 0000", "storageid": "00010001", "lensname": "RF50mm F1.8 STM",
            "eosserialnumber": "SIM-EOS", "autopoweroff": "60",
        ]
        let (settings, _) = try driver.configure(words.map(\.key))
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == words.map(\.value))
        // The camera doesn't report which settings are read-only. The driver decides.
        let readOnly = zip(words.map(\.key), settings).filter(\.1.isReadOnly).map(\.0)
        #expect(Set(readOnly).isSubset(of: ["focusmode", "storageid", "lensname", "eosserialnumber"]))
        let shutter = settings[2].choices
        #expect(shutter.count == 56 && shutter.first == "bulb" && shutter.last == "1/8000")
        // In manual mode no compensation is possible. The camera sends no list of allowed values, so the
        // driver offers only the current value.
        #expect(settings[3].choices == ["0"])
    }

    @Test func `gphoto2 changes the settings of the body`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (settings, _) = try driver.configure([
            "iso=800", "aperture=5.6", "shutterspeed=1/125", "whitebalance=Color Temperature",
            "colortemperature=3200", "imageformat=RAW", "drivemode=Timer 2 sec", "meteringmode=Spot",
            "autoexposuremodedial=AV", "exposurecompensation=-0.3", "aeb=+/- 1", "artist=Ada",
            "whitebalanceadjusta=-3", "iso",
        ])
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == ["800"])
        let body = body(simulator)
        let codes: [UInt16: UInt32] = [
            CanonProperty.isoSpeed: 0x60, CanonProperty.aperture: 0x30, CanonProperty.whiteBalance: 9,
            CanonProperty.colorTemperature: 3200, CanonProperty.driveMode: 0x11,
            CanonProperty.meteringMode: 1, CanonProperty.exposureCompensation: 0xFD,
        ]
        for (code, value) in codes { #expect(body.dials[code] == value) }
        #expect(body.dials.mode == .aperturePriority)
        #expect(body.dials.imageFormat == CanonImageFormat(.raw))
        #expect(body.number(CanonProperty.exposureBracketing) == 8)
        #expect(body.settings[CanonProperty.artist] == .text("Ada"))
        #expect(body.number(CanonProperty.whiteBalanceShiftA) == UInt32(bitPattern: -3))
    }

    @Test func `in shutter priority gphoto2 offers the old apertures until its next session`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let (within, _) = try driver.configure(["autoexposuremodedial=TV", "aperture"])
        #expect(within.first?.current == "implicit auto")
        #expect(within.first?.choices.contains("5.6") == true)
        let (after, _) = try driver.configure(["aperture"])
        #expect(after.first?.choices == ["implicit auto"])
    }

    @Test func `gphoto2 reports the response code when the camera refuses a value`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let refused = try driver.configure(["autoexposuremodedial=TV", "aperture=5.6"])
        #expect(driver.status != 0)
        #expect(refused.text.contains("0x201c"))
        let busy = try driver.configure(["autopoweroff=120"])
        #expect(driver.status != 0)
        #expect(busy.text.contains("0x2019"))
    }

    @Test func `gphoto2 shows a value that the camera ignored`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        simulator.link.withCamera { $0.canon.forcedResponses[CanonProperty.aperture] = .ok }
        let (settings, _) = try driver.configure(["aperture=5.6", "aperture"])
        #expect(driver.status == 0)
        #expect(settings.map(\.current) == ["5.6"])
        #expect(body(simulator).dials[CanonProperty.aperture] == 0x20)
    }

    /// If the camera lacks the battery property of the PTP standard, gphoto2 reads the level from Canon's own
    /// property. gphoto2 shows the highest level of an EOS M10 as `3%`.
    @Test(arguments: [(EOSBattery.percent, 5, "5%"), (.steps, 5, "Low"), (.levels, 100, "3%")])
    func `gphoto2 reads the battery level in percent, steps or levels`(
        battery: EOSBattery, percent: Int, level: String
    ) throws {
        let (simulator, driver) = try simulator(battery: battery, percent: percent)
        defer { simulator.stop() }
        let (settings, text) = try driver.configure(["batterylevel"])
        #expect(driver.status == 0, "\(text)")
        #expect(settings.map(\.current) == [level])
    }

    @Test func `gphoto2 cannot read the temperature status`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        // The camera lists the property, but reports the value only in events. The driver has no setting for
        // this value, and the camera does not answer the driver's request for the property.
        let (settings, text) = try driver.configure(["d1ab"])
        #expect(driver.status != 0 && settings.isEmpty, "\(text)")
    }

    @Test func `gphoto2 misreads the exposure of display version 0x14`() throws {
        let (simulator, driver) = try simulator(displayVersion: 0x14)
        defer { simulator.stop() }
        let (settings, _) = try driver.configure(["shutterspeed", "iso", "shutterspeed=1/125"])
        #expect(settings.map(\.current) == ["30", "Unknown value 0001"])
        #expect(body(simulator).dials[CanonProperty.shutterSpeed] == 0x70)
    }

    @Test func `gphoto2 records live view as a movie and stops it afterwards`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.run("--capture-movie=3")
        #expect(driver.status == 0)
        let movie = try #require(try driver.photos()["movie.mjpg"])
        let starts = movie.indices.filter { movie[$0...].starts(with: [0xFF, 0xD8]) }
        let ends = movie.indices.filter { movie[$0...].starts(with: [0xFF, 0xD9]) }
        #expect(starts.count == ends.count && starts.count >= 3)
        #expect(body(simulator).liveView.served >= 3)
        #expect(body(simulator).number(CanonProperty.viewfinderOutput) == 0)
        // In movie mode gphoto2 doesn't recognize the frames.
        let text = try driver.run("--set-config", "eosmoviemode=1", "--capture-movie=3")
        #expect(text.contains("Unhandled MIME type"))
    }

    @Test func `gphoto2 records a movie and fetches it`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.configure([
            "viewfinder=1", "eosmoviemode=1", "movierecordtarget=Card", "--wait-event=100ms",
            "movierecordtarget=None", "--wait-event-and-download=1f",
        ])
        #expect(driver.status == 0)
        #expect(try driver.photos().values.map(\.count) == [GeneratedMovie.file(number: 1).count])
    }

    @Test func `gphoto2 keeps the bulb shutter open for the duration of --wait-event`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let refused = try driver.configure(["bulb=1"])
        #expect(refused.text.contains("make sure the mode dial is switched to 'M'"))
        let bulb = try driver.configure(["shutterspeed=bulb", "bulb=1", "--wait-event=2s", "bulb=0"])
        #expect(driver.status == 0)
        #expect(bulb.text.contains("BulbExposureTime 1"))
        #expect(!body(simulator).shutter.isOpen)
        #expect(simulator.link.withCamera { $0.statistics.shots } == 1)
    }

    @Test func `gphoto2 presses and releases the button with eosremoterelease`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        let steps = [
            "Press Half", "Press Full", "Release Full", "Immediate", "Release Full", "Press 1", "Press 2",
            "Release 2", "Release 1",
        ]
        _ = try driver.configure(steps.map { "eosremoterelease=\($0)" })
        #expect(driver.status == 0)
        #expect(body(simulator).button == .up)
        #expect(simulator.link.withCamera { $0.statistics.shots } == 3)
    }

    @Test func `gphoto2 moves the lens and the magnifier in live view`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        _ = try driver.configure(["manualfocusdrive=Near 1"])
        #expect(driver.status != 0)
        let live = try driver.configure([
            "viewfinder=1", "manualfocusdrive=Far 3", "eoszoom=5", "eoszoomposition=64,128",
            "autofocusdrive=1", "cancelautofocus=1", "uilock=1",
        ])
        #expect(driver.status == 0, "\(live.text)")
        #expect(body(simulator).zoom == 5)
        #expect(body(simulator).zoomCorner == (64, 128))
        #expect(!body(simulator).isLocked)
    }

    @Test func `gphoto2 releases the button after a shot without focus`() throws {
        let (simulator, driver) = try simulator()
        defer { simulator.stop() }
        simulator.link.withCamera { $0.canon.autofocus = .fails }
        let text = try driver.run("--trigger-capture")
        #expect(text.contains("Perhaps no focus?"))
        #expect(body(simulator).button == .up)
        #expect(simulator.link.withCamera { $0.statistics.shots } == 0)
        // While the lens still searches, gphoto2 assumes focus. The body refuses the full press, and the
        // button stays half pressed.
        simulator.link.withCamera { $0.canon.autofocus = .succeedsLate }
        let busy = try driver.run("--trigger-capture")
        #expect(busy.contains("0x2019"))
        #expect(body(simulator).button == .half)
    }
}
