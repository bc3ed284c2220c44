import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// The stock program.
private enum StockProgram {
    static let path = "/usr/bin/gphoto2"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
}

/// What the worker set, as the stock `gphoto2` sees it in a session after it: its words are the camera's, not ours.
@Suite(
    .serialized, .programs(2),
    .enabled(if: StockProgram.isInstalled, "gphoto2 is not installed"))
struct StockOpinionTests {
    /// Runs `gphoto2` with the camera.
    private func run(
        _ arguments: [String], on camera: SimulatedCamera
    ) throws -> (text: String, status: Int32) {
        let scratch = try ScratchDirectory()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: StockProgram.path)
        let port = camera.port.split(separator: ":").last ?? ""
        process.arguments = ["--port", "\(camera.port):\(port)"] + arguments
        process.environment = ["HOME": scratch.path, "LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        process.currentDirectoryURL = URL(filePath: scratch.path)
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    /// Current words of settings, by name.
    private func read(_ names: [String], of camera: SimulatedCamera) throws -> [String: String] {
        let (text, _) = try run(names.flatMap { ["--get-config", $0] }, on: camera)
        let words = text.split(separator: "\n").filter { $0.hasPrefix("Current: ") }.map {
            String($0.dropFirst(9))
        }
        try #require(words.count == names.count, "\(text)")
        return Dictionary(uniqueKeysWithValues: zip(names, words))
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `gphoto2 reads what was set, and the time`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        try camera.say("clock-offset 4000")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let results = try worker.change(["iso": "800", "aperture": "5.6", "shutter": "1/125"])
        #expect(results.map(\.outcome) == [.set, .set, .set])
        let zone = 19_800
        guard case .clockSet = try worker.ask({ .setClock(id: $0, zoneOffsetSeconds: zone) }) else {
            Issue.record("the clock was not set")
            return
        }
        try worker.send { _ in .close }
        worker.ending()
        let ours = Dictionary(
            uniqueKeysWithValues: results.compactMap(\.now).map { ($0.name, $0.word) })
        let stock = try read(ours.keys + ["datetime"], of: camera)
        for (name, word) in ours { #expect(stock[name] == word, "\(name)") }
        let clock = try #require(stock["datetime"].flatMap { Int($0) })
        // Neither the clock's old offset nor another zone; at night to the second.
        #expect(abs(clock - zone - time(nil)) <= (Tier.isNight ? 3 : 600))
    }

    /// libgphoto2's setter by number reports success for every answer (config.c, "Generic property setter").
    @Test(arguments: Tier.rows(["201c", "200a"], gate: ["201c"]))
    func `reports a refused setting as refused, where gphoto2 reports success`(answer: String) throws {
        let camera = try SimulatedCamera(maker: "sony")
        try camera.say("refuse d222 \(answer)")
        let before = try camera.body()["d222"]
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let result = try #require(try worker.change(["capture_target": "both"]).first)
        #expect(result.outcome == .refused, "\(result)")
        try worker.send { _ in .close }
        worker.ending()
        let stock = try run(["--set-config", "d222=17"], on: camera)
        #expect(stock.status == 0, "\(stock.text)")
        #expect(try camera.body()["d222"] == before)
    }
}
