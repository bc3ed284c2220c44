import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of the settings of an EOS, which the driver returns from its cache.
@Suite(.serialized, .programs(2)) struct CanonSettingsTests {
    private func opened(_ arguments: [String] = []) throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(maker: "canon", arguments)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    @Test func `returns the settings of an EOS as FrameFast values`() throws {
        let (camera, worker) = try opened(["--pairs"])
        defer { withExtendedLifetime(camera) {} }
        let settings = try worker.settings()
        func text(_ key: CameraSettingKey) -> String? { settings.first { $0.key == key }?.value?.text }
        #expect(text(.mode) == "M" && text(.aperture) == "2.8" && text(.shutter) == "1/250")
        #expect(text(.quality) == "raw+jpeg-fine" && text(.focusMode) == "af-s" && text(.kelvin) == "5200")
        #expect(settings.allSatisfy { $0.writable == .yes })
    }

    @Test func `an EOS confirms each value, and the mode locks other settings`() throws {
        let (camera, worker) = try opened()
        let results = try worker.change([
            "shutter": "1/60", "aperture": "5.6", "iso": "800", "white_balance": "daylight", "quality": "raw",
        ])
        #expect(results.map(\.outcome) == [.set, .set, .set, .set, .set])
        #expect(results.compactMap(\.now?.value?.text) == ["1/60", "5.6", "800", "daylight", "raw"])
        let again = try worker.change(["aperture": "8", "mode": "S", "shutter": "1/125", "iso": "800"])
        #expect(again.map(\.outcome) == [.readOnly, .set, .set, .unchanged])
        #expect(again[0].reason?.contains("mode S") == true)
        #expect(try camera.state().requests["canonSetDevicePropValueEx"] == 7)
    }

    @Test func `retries a setting on a busy EOS, but not after denied access`() throws {
        let (camera, worker) = try opened()
        try camera.send("busy 3000")
        #expect(try worker.change(["iso": "1600"]).map(\.outcome) == [.set])
        try camera.send("fault access-denied @op 0x9110")
        #expect(try worker.change(["iso": "3200"]).map(\.outcome) == [.refused])
        #expect(try worker.settings(["iso"]).first?.value?.text == "1600")
    }

    private static let refusals = [
        ("refuse d103 201c", CameraSettingResult.Outcome.refused), ("refuse d103 200a", .refused),
        ("refuse d103 2019", .busy), ("refuse d103 ok", .ignored),
    ]

    @Test(arguments: Tier.rows(refusals, gate: [refusals[0], refusals[3]]))
    func `reports values that an EOS refuses or ignores`(
        word: String, outcome: CameraSettingResult.Outcome
    ) throws {
        let (camera, worker) = try opened()
        try camera.send(word)
        let result = try #require(worker.change(["iso": "800"]).first)
        #expect(result.outcome == outcome && result.reason != nil)
        #expect(try worker.settings(["iso"]).first?.value?.text == "400")
    }

    @Test(arguments: Tier.rows(["7", "14"], gate: ["14"]))
    func `publishes dial changes for both display record formats`(display: String) throws {
        let (camera, worker) = try opened(["--eos-display", display])
        _ = try worker.list()
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        try camera.send("dial aperture=8 shutter=1/125 iso=1600")
        var published: [CameraSettingKey: String] = [:]
        while published.count < 3 {
            let settings = try worker.wait {
                if case .settingsChanged(let settings, _) = $0 { settings } else { nil }
            }
            for setting in settings { published[setting.key ?? .mode] = setting.value?.text }
        }
        #expect(published == [.aperture: "8", .shutter: "1/125", .iso: "1600"])
        try camera.send("dial mode=A")
        let other = try worker.wait {
            if case .settingsChanged(let settings, _) = $0 { settings } else { nil }
        }
        #expect(other.first { $0.key == .mode }?.value?.text == "A")
        #expect(other.first { $0.key == .shutter }?.writable == .no)
    }

    @Test func `sets the two clocks of an EOS to local time and UTC`() throws {
        let zone = -12_600
        let result = try setClock(zone: zone, aheadSeconds: 3_600)
        #expect(abs(result.driftMs) < 600_000 && abs(result.off) < 600)
        let utc = try #require(Self.seconds(writtenTo: Self.utcTime, by: result.operations).first)
        let wall = try #require(Self.seconds(writtenTo: Self.wallTime, by: result.operations).first)
        #expect(abs(utc - time(nil)) < 600 && wall == utc + zone, "\(utc) \(wall)")
    }

    @Test(
        .nightly("measures the clock to half a second"), arguments: [(7_200, -90), (-12_600, 3_600)])
    func `sets the clock of an EOS with at most 500 ms drift`(zone: Int, aheadSeconds: Int) throws {
        let result = try setClock(zone: zone, aheadSeconds: aheadSeconds)
        // `off` has whole seconds and includes the time of the request, so its limit is larger.
        #expect(abs(result.driftMs) <= 500 && abs(result.off) <= 2)
    }

    /// The operation that sets a property of an EOS, and the codes of its two clocks.
    private static let setProperty = "9110"
    private static let (wallTime, utcTime): (UInt32, UInt32) = (0xD113, 0xD17C)

    /// Returns the times that operations wrote to a clock, in seconds, oldest first. The data of such an
    /// operation contains its size, the clock's code and the time, as little-endian words.
    private static func seconds(
        writtenTo clock: UInt32, by operations: [SimulatedCamera.Operation]
    ) -> [Int] {
        func word(_ place: Int, of data: String) -> UInt32? {
            UInt32(data.dropFirst(8 * place).prefix(8), radix: 16)?.byteSwapped
        }
        return operations.filter { $0.code == setProperty && word(1, of: $0.data) == clock }
            .compactMap { word(2, of: $0.data).map { Int($0) } }
    }

    /// Sets the clock of an EOS to the time of a zone.
    ///
    /// - Returns: The drift in milliseconds that the worker reports, the drift of the camera's clock in
    ///   seconds, and the camera's operations.
    private func setClock(
        zone: Int, aheadSeconds: Int
    ) throws -> (driftMs: Int, off: Int, operations: [SimulatedCamera.Operation]) {
        let (camera, worker) = try opened()
        try camera.send("clock-offset \(aheadSeconds)")
        _ = try camera.operations()
        let reply = try worker.request { .setClock(id: $0, zoneOffsetSeconds: zone) }
        guard case .clockSet(_, let setting) = reply else {
            throw CameraTestError(words: "the clock was not set")
        }
        let clock = try #require(worker.settings(["datetime"]).first.flatMap { Int($0.word) })
        let off = clock - zone - time(nil)
        return (Int(try #require(setting.driftAfterMs)), off, try camera.operations())
    }
}
