import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of settings that are read and changed while a camera is connected.
@Suite(.serialized, .programs(2)) struct SettingsTests {
    private static let makers = ["generic", "nikon", "fuji"]

    private func requests(_ camera: SimulatedCamera, _ name: String) throws -> Int {
        try camera.state().requests[name] ?? 0
    }

    @Test(arguments: Tier.rows(makers, gate: ["generic", "nikon"]))
    func `returns settings as FrameFast values by key or driver name`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let all = try worker.settings()
        let aperture = try #require(all.first { $0.key == .aperture })
        #expect(aperture.value?.text == "2.8" && aperture.name == "f-number" && aperture.word == "f/2.8")
        let apertures = aperture.choices.compactMap(\.value?.text)
        #expect(Set(apertures).isSuperset(of: ["1.4", "2", "2.8", "4", "5.6", "8", "11"]))
        #expect(aperture.writable == .yes)
        #expect(all.first { $0.key == .iso }?.value?.text == "400")
        #expect(try worker.settings(["iso", "nonsense", "f-number"]).map(\.key) == [.iso, nil])
    }

    @Test(arguments: Tier.rows(makers, gate: ["generic", "fuji"]))
    func `returns the camera's values in the order of the request`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let results = try worker.change(["aperture": "5.6", "iso": "400", "f-number": "f/8", "tilt": "1"])
        #expect(results.map(\.outcome) == [.set, .unchanged, .set, .unsupported])
        #expect(results[0].now?.value?.text == "5.6" && results[0].reason == nil)
        #expect(results[3].reason != nil)
        #expect(try worker.settings(["aperture"]).first?.value?.text == "8")
    }

    @Test(arguments: Tier.rows(["canon", "sony", "fuji"], gate: 1))
    func `sets automatic ISO with the same value for each maker`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.change(["iso": "auto"]).map(\.outcome) == [.set])
        #expect(try worker.settings(["iso"]).first?.value?.text == "auto")
    }

    private static let writable: [(String, CameraSetting.Writable)] = [
        ("nikon", .no), ("fuji", .no), ("sony", .unknown),
    ]

    @Test(arguments: Tier.rows(writable, gate: 1))
    func `reports whether a setting that the mode locks is writable`(
        maker: String, expected: CameraSetting.Writable
    ) throws {
        let camera = try SimulatedCamera(maker: maker)
        try camera.send("dial mode=A")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.settings(["shutter"]).first?.writable == expected)
    }

    @Test func `sends the nearest available value only if the request allows it`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(
            try worker.change(["iso": "500", "aperture": "wide"]).map(\.outcome) == [
                .unsupported, .unsupported,
            ])
        #expect(try requests(camera, "setDevicePropValue") == 0)
        let results = try worker.change(["iso": "700", "aperture": "2.8"], nearest: true)
        #expect(results.map(\.outcome) == [.set, .unchanged])
        #expect(results[0].now?.value?.text == "800")
        #expect(results[0].reason == "This is the nearest value that the camera offers.")
        #expect(try requests(camera, "setDevicePropValue") == 1)
    }

    @Test func `a trial returns the outcomes and sends nothing`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let results = try worker.change(["iso": "800", "aperture": "2.8"], trial: true)
        #expect(results.map(\.outcome) == [.trial, .unchanged])
        #expect(try requests(camera, "setDevicePropValue") == 0)
    }

    @Test(arguments: Tier.rows([(3, CameraSettingResult.Outcome.set), (20, .busy)], gate: 1))
    func `retries a setting on a busy camera while photos arrive`(
        times: Int, outcome: CameraSettingResult.Outcome
    ) throws {
        let camera = try SimulatedCamera(maker: "nikon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        try camera.send("fault busy*\(times) @op 0x1016")
        let command = CameraSettingsCommand([CameraSettingChange(name: "iso", value: "800")])
        let id = try worker.send { .writeSettings(id: $0, command) }
        try camera.send("shoot")
        let object = try worker.nextObject()
        guard case .fetched = try worker.fetch(object).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        guard case .settingResults(_, let results) = try worker.reply(to: id) else {
            Issue.record("the worker returned no results")
            return
        }
        #expect(results.map(\.outcome) == [outcome])
        #expect(try requests(camera, "setDevicePropValue") == min(times + 1, 9))
    }

    @Test func `reports a refused setting with a reason`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("fault access-denied @op 0x1016")
        let results = try worker.change(["iso": "800", "aperture": "4"])
        #expect(results.map(\.outcome).sorted { $0.rawValue < $1.rawValue } == [.refused, .set])
        #expect(results.first { $0.outcome == .refused }?.reason?.contains("does not allow") == true)
    }

    @Test func `verifies changes by property code, because the driver always reports success`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("fault access-denied @op 0x1016")
        #expect(try worker.change(["500f": "800"]).map(\.outcome) == [.refused])
        #expect(try worker.change(["500f": "800"]).map(\.outcome) == [.set])
    }

    @Test(arguments: Tier.rows(makers, gate: ["generic"]))
    func `publishes settings once and sends no settings request to an idle camera`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        let published = try worker.wait {
            if case .settingsChanged(let settings, _) = $0 { settings } else { nil }
        }
        #expect(Set(published.compactMap(\.key)).isSuperset(of: [.aperture, .shutter, .iso]))
        let before = try requests(camera, "getDevicePropDesc")
        // Waits for two heartbeats of an idle worker.
        for _ in 0..<2 { _ = try worker.wait { if case .heartbeat = $0 { true } else { nil } } }
        #expect(try requests(camera, "getDevicePropDesc") == before)
    }

    @Test func `sets the clock to the wall time of the zone`() throws {
        let result = try setClock("nikon", zone: -12_600, aheadSeconds: 3_600)
        #expect(abs(result.driftMs) < 600_000 && abs(result.off) < 600)
    }

    @Test(
        .nightly("measures the clock to half a second"),
        arguments: [("generic", 7_200, -90), ("nikon", -12_600, 3_600), ("fuji", 20_700, 86_400)])
    func `sets the clock to the second`(maker: String, zone: Int, aheadSeconds: Int) throws {
        let result = try setClock(maker, zone: zone, aheadSeconds: aheadSeconds)
        #expect(abs(result.driftMs) <= 500 && abs(result.off) <= 2)
    }

    /// Sets the clock of a camera to the time of a zone.
    ///
    /// - Returns: The drift in milliseconds that the worker reports, and the drift of the camera's clock in
    ///   seconds.
    private func setClock(
        _ maker: String, zone: Int, aheadSeconds: Int
    ) throws -> (driftMs: Int, off: Int) {
        let camera = try SimulatedCamera(maker: maker)
        try camera.send("clock-offset \(aheadSeconds)")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let reply = try worker.request { .setClock(id: $0, zoneOffsetSeconds: zone) }
        guard case .clockSet(_, let setting) = reply else {
            throw CameraTestError(words: "the clock was not set")
        }
        #expect(setting.driftBeforeMs != nil)
        let clock = try #require(worker.settings(["datetime"]).first.flatMap { Int($0.word) })
        return (Int(try #require(setting.driftAfterMs)), clock - zone - time(nil))
    }

    @Test(.nightly("measures requests; an event poll may add one"))
    func `reads all settings of a Sony with one table request`() throws {
        let camera = try SimulatedCamera(maker: "sony")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let names = ["aperture", "focus_mode", "capture_target", "f-number", "d25a", "d222", "d213"]
        let one = try cost(of: ["aperture"], worker, camera)
        let all = try cost(of: names, worker, camera)
        #expect(all <= one + 1, "\(one) \(all)")
    }

    /// Reads settings. Returns the number of requests for a Sony's property table, to which an event poll may
    /// add one.
    private func cost(
        of names: [String], _ worker: WorkerProcess, _ camera: SimulatedCamera
    ) throws -> Int {
        let before = try requests(camera, "sonyGetAllProperties")
        #expect(try worker.settings(names).count == names.count)
        return try requests(camera, "sonyGetAllProperties") - before
    }
}
