import Foundation
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

@Suite(
    .serialized, .programs(1),
    .enabled(if: StockDriver.isInstalled, "the stock gphoto2 is not installed: run apt install gphoto2")
)
struct StockDriverTests {
    private func simulator(_ maker: Maker, existing: Int) throws -> (Simulator, StockDriver) {
        var options = SimulatorOptions()
        options.identity = CameraIdentity(maker, serial: "SIM-\(maker.rawValue)")
        options.server.port = 0
        options.sizes = 100_000...1_500_000
        options.recording = .pair
        options.existing = existing
        let simulator = try Simulator(options)
        let port = try #require(UInt16(try simulator.start().split(separator: ":").last ?? ""))
        return (simulator, try StockDriver(port: port))
    }

    private func card(_ simulator: Simulator) -> [String: [UInt8]] {
        simulator.link.withCamera { camera in
            Dictionary(uniqueKeysWithValues: camera.card.files.map { ($0.name.string, $0.bytes.bytes) })
        }
    }

    /// The makers whose cameras list a card. A Sony in PC Remote doesn't.
    private static let withCard = Maker.allCases.filter { $0 != .sony }

    @Test(arguments: withCard)
    func `gphoto2 reads the identity and lists the files`(maker: Maker) throws {
        let (simulator, driver) = try simulator(maker, existing: 2)
        defer { simulator.stop() }
        let summary = try driver.run("--summary")
        #expect(summary.contains("Model: \(CameraIdentity(maker).model)"))
        #expect(summary.contains("Serial Number: SIM-\(maker.rawValue)"))
        let list = try driver.run("--list-files")
        for name in card(simulator).keys { #expect(list.contains(name)) }
    }

    @Test(arguments: withCard)
    func `gphoto2 fetches all photos completely`(maker: Maker) throws {
        let (simulator, driver) = try simulator(maker, existing: 4)
        defer { simulator.stop() }
        _ = try driver.run("--get-all-files")
        #expect(try driver.photos() == card(simulator))
    }

    @Test(arguments: Maker.allCases)
    func `gphoto2 fetches photos when they are taken`(maker: Maker) throws {
        let (simulator, driver) = try simulator(maker, existing: 0)
        defer { simulator.stop() }
        // Makes a Sony also save the photos on the card. A Fujifilm's shutter must be controlled by the body.
        _ = simulator.link.withCamera { $0.setCaptureTarget("card+host") }
        let settings = maker == .fuji ? ["--set-config", "prioritymode=Camera"] : []
        let tether = try driver.start(settings + ["--wait-event-and-download=6f", "--keep"])
        #expect(simulator.stateChange.wait(seconds: 30) { simulator.link.hasClient })
        for _ in 0..<3 { try simulator.press() }
        // gphoto2 exits after the sixth file.
        tether.waitUntilExit()
        #expect(tether.terminationStatus == 0)
        #expect(simulator.sharedCamera.isEveryShotFetched)
        // gphoto2 chooses the file names for a Sony.
        if maker == .sony {
            #expect(try Set(driver.photos().values) == Set(card(simulator).values))
        } else {
            #expect(try driver.photos() == card(simulator))
        }
    }

    @Test func `the next gphoto2 session sees the changes of the card`() throws {
        let (simulator, driver) = try simulator(.generic, existing: 1)
        defer { simulator.stop() }
        _ = try driver.run("--delete-file", "1", "--folder", "/store_00010001/DCIM/100MEDIA")
        try simulator.press()
        let list = try driver.run("--list-files")
        #expect(card(simulator).count == 3)
        for name in card(simulator).keys { #expect(list.contains(name)) }
        #expect(simulator.link.withCamera { $0.statistics.sessions } == 2)
    }
}
