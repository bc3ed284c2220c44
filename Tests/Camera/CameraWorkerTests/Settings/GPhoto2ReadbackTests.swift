import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests that `gphoto2` reads the worker's changes in a later PTP session. The tests compare driver values,
/// because `gphoto2` does not use FrameFast's values.
@Suite(
    .serialized, .programs(2),
    .enabled(if: StockGPhoto.isInstalled, "gphoto2 is not installed"))
struct GPhoto2ReadbackTests {
    /// The codes for ISO 800, f/5.6 and 1/125 s on each maker's cameras, by property (tables in libgphoto2's
    /// config.c).
    private static let codes: [String: [String: Int]] = [
        // All values in eighths of a stop.
        "canon": ["d103": 0x60, "d101": 0x30, "d102": 0x70],
        // The time in tenths of a millisecond.
        "generic": ["500f": 800, "5007": 560, "500d": 80],
        // The time as a fraction (d100) and in tenths of a millisecond (500d).
        "nikon": ["500f": 800, "5007": 560, "d100": 1 << 16 | 125, "500d": 80],
        // The time in microseconds. The times are powers of two: 1/125 s is 1/128 s, which is 7,812 µs.
        "fuji": ["500f": 800, "5007": 560, "500d": 7_812],
        // The time as a fraction.
        "sony": ["d226": 800, "5007": 560, "d229": 1 << 16 | 125],
    ]

    private static let makers = ["canon", "generic", "nikon", "fuji", "sony"]

    @Test(arguments: Tier.rows(makers, gate: 1))
    func `gphoto2 reads the settings and the clock that the worker set`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let results = try worker.change(["iso": "800", "aperture": "5.6", "shutter": "1/125"])
        #expect(results.allSatisfy { [.set, .unchanged].contains($0.outcome) }, "\(results)")
        #expect(results.contains { $0.outcome == .set })
        let codes = try #require(Self.codes[maker])
        #expect(try camera.body().filter { codes.keys.contains($0.key) } == codes)
        // The worker restores the capture target at the end of the connection.
        let ours = try worker.settings().filter { $0.key != .captureTarget }
        #expect(ours.count > 5)
        let zone = 19_800
        // A Sony's clock can be set only on the camera.
        let hasClock = maker != "sony"
        if hasClock {
            try camera.send("clock-offset 4000")
            guard case .clockSet = try worker.request({ .setClock(id: $0, zoneOffsetSeconds: zone) }) else {
                Issue.record("the clock was not set")
                return
            }
        }
        try worker.send { _ in .close }
        worker.waitForExit()
        let stock = try StockGPhoto.values(
            of: ours.map(\.name) + (hasClock ? ["datetime"] : []), on: camera.port)
        for setting in ours { #expect(stock[setting.name] == setting.word, "\(setting.name)") }
        guard hasClock else { return }
        let clock = try #require(stock["datetime"].flatMap { Int($0) })
        // In the gate, the limit of 600 s detects only an unchanged clock and a wrong zone. In the nightly
        // tests, the limit is 3 s.
        #expect(abs(clock - zone - time(nil)) <= (Tier.isNight ? 3 : 600))
    }

    /// The settings that the next test does not change. A change of the mode would lock other settings. The
    /// worker restores the capture target at the end, so `gphoto2` reads the old value. The driver itself
    /// sets the size for live view, so a new size does not prove that the worker changed it.
    private static let others: Set<CameraSettingKey> = [.mode, .captureTarget, .liveViewSize]

    @Test(arguments: Tier.rows(makers, gate: 1))
    func `gphoto2 reads the new value of each setting that the worker changed`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var changed: [String] = []
        for listed in try worker.settings() {
            guard let key = listed.key, !Self.others.contains(key) else { continue }
            // An earlier change may have locked this setting.
            let setting = try #require(worker.settings([key.rawValue]).first)
            let values = setting.choices.compactMap(\.value)
            guard setting.writable != .no, let value = values.last(where: { $0 != setting.value }) else {
                continue
            }
            let before = try camera.body()
            let result = try #require(worker.change([key.rawValue: value.text]).first)
            // A Sony's list has apertures that its lens does not have.
            let isAtEnd = maker == "sony" && key == .aperture && result.outcome == .adjusted
            #expect(result.outcome == .set || isAtEnd, "\(result)")
            // The simulator's state does not contain the image format of an EOS, which gphoto2 reads below.
            if key != .quality { #expect(try camera.changes(since: before) != [], "\(key) to \(value)") }
            changed.append(setting.name)
        }
        try #require(changed.count > 4, "\(changed)")
        let ours = try worker.settings(changed)
        try worker.send { _ in .close }
        worker.waitForExit()
        let stock = try StockGPhoto.values(of: ours.map(\.name), on: camera.port)
        for setting in ours { #expect(stock[setting.name] == setting.word, "\(setting.name)") }
    }

    /// For a setting that the mode locks, an EOS returns an empty list. The driver then keeps the previous
    /// list (gphoto2 issue 317).
    @Test func `reports an EOS's aperture in mode Tv as read-only, unlike gphoto2`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.settings(["aperture"]).first?.writable == .yes)
        #expect(try worker.change(["mode": "S"]).map(\.outcome) == [.set])
        #expect(try worker.settings(["aperture"]).first?.writable == .no)
        #expect(try worker.change(["mode": "M"]).map(\.outcome) == [.set])
        try worker.send { _ in .close }
        worker.waitForExit()
        let stock = try StockGPhoto.run(
            ["--set-config", "autoexposuremodedial=TV", "--get-config", "aperture"], on: camera.port)
        #expect(stock.text.contains("Readonly: 0"), "\(stock.text)")
        #expect(stock.text.split(separator: "\n").count { $0.hasPrefix("Choice: ") } > 5, "\(stock.text)")
    }

    /// When libgphoto2 sets a property by its code, it reports success for every response (config.c, "Generic
    /// property setter").
    @Test(arguments: Tier.rows(["201c", "200a"], gate: ["201c"]))
    func `reports a refused setting as refused, unlike gphoto2`(reply: String) throws {
        let camera = try SimulatedCamera(maker: "sony")
        try camera.send("refuse d222 \(reply)")
        let before = try camera.body()["d222"]
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let result = try #require(try worker.change(["capture_target": "both"]).first)
        #expect(result.outcome == .refused, "\(result)")
        try worker.send { _ in .close }
        worker.waitForExit()
        let stock = try StockGPhoto.run(["--set-config", "d222=17"], on: camera.port)
        #expect(stock.status == 0, "\(stock.text)")
        #expect(try camera.body()["d222"] == before)
    }
}
