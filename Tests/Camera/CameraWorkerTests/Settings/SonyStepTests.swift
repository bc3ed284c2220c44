import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of an older Sony, whose settings change in steps. Each step takes some time.
@Suite(.serialized, .programs(2)) struct SonyStepTests {
    private func opened(stepMs: Int = 100) throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(
            maker: "sony", ["--sony-settings", "old", "--sony-step", "\(stepMs)", "--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    private static let walks = [
        ("aperture", "5.6", "5007", 560), ("iso", "1600", "d21e", 1600),
        ("shutter", "1/1000", "d20d", 1 << 16 | 1000),
        ("shutter", "1/30", "d20d", 1 << 16 | 30), ("exposure_compensation", "-1", "5010", -1000),
    ]

    @Test(arguments: Tier.rows(walks, gate: [walks[0], walks[3]]))
    func `steps a setting until the camera confirms its value`(
        key: String, value: String, code: String, number: Int
    ) throws {
        let (camera, worker) = try opened()
        let result = try #require(try worker.change([key: value]).first)
        #expect(result.outcome == .set, "\(result)")
        #expect(try camera.body()[code] == number)
        #expect(try worker.settings([key]).first?.value?.text == value)
    }

    /// The driver offers apertures that the lens does not have.
    @Test func `reports an offered aperture beyond the camera's last value as adjusted`() throws {
        let (camera, worker) = try opened()
        try camera.send("dial aperture=20")
        let offered = try #require(worker.settings(["aperture"]).first).choices.compactMap(\.value?.text)
        let beyond = try #require(offered.first { Double($0).map { $0 > 22 } == true })
        let result = try #require(try worker.change(["aperture": beyond]).first)
        #expect(result.outcome == .adjusted && result.now?.value?.text == "22", "\(result)")
        #expect(result.reason?.contains("22") == true)
        #expect(try camera.body()["5007"] == 2_200)
    }

    @Test func `reports a listed aperture that the lens lacks as adjusted`() throws {
        let (camera, worker) = try opened()
        try camera.send("lens-limit 14")
        try camera.send("dial aperture=11")
        let offered = try #require(worker.settings(["aperture"]).first).choices.compactMap(\.value?.text)
        #expect(offered.contains("16"))
        let result = try #require(try worker.change(["aperture": "16"]).first)
        #expect(result.outcome == .adjusted && result.now?.value?.text == "14", "\(result)")
        #expect(result.reason?.contains("14") == true)
        #expect(try camera.body()["5007"] == 1_400)
    }

    @Test func `reports a dial that does not move as ignored`() throws {
        let (camera, worker) = try opened()
        try camera.send("dial iso=100")
        // For some offered values, real cameras also respond with OK and change nothing.
        try camera.send("refuse d21e ok")
        let result = try #require(try worker.change(["iso": "800"]).first)
        #expect(result.outcome == .ignored, "\(result)")
        #expect(try worker.settings(["iso"]).first?.value?.text == "100")
    }

    /// The operation code of a step.
    private static let step = "9207"
    /// The operations that read a photo's facts and its data.
    private static let reads = ["1008", "1009"]
    /// The operations that read the property table and set a property.
    private static let tables = ["9209", "9205"]
    /// Changes that take at least eight steps: the setting, its values before and after, and its code.
    private static let longChanges = [("aperture", "5.6", "16", "5007"), ("iso", "100", "6400", "d21e")]

    /// The driver takes all steps of a change in one call. The worker ends the call when the photo can be
    /// read. The steps are slow, because the shot must be taken before the last step.
    @Test(arguments: longChanges)
    func `reads a shot between two steps of a dial`(
        key: String, from: String, to: String, code: String
    ) throws {
        let change = try changeWithShot(key, from, to, code)
        #expect(change.results.map(\.outcome) == [.set])
        let read = try #require(change.operations.firstIndex { Self.reads.contains($0.code) })
        let steps = change.operations.indices.filter { isStep(change.operations[$0], of: code) }
        #expect(steps.contains { $0 > read }, "the worker read the photo after the last step")
        let before = try #require(steps.last { $0 < read })
        // Between the two operations, the worker accesses only properties.
        let between = change.operations[(before + 1)..<read].map(\.code)
        #expect(between.allSatisfy(Self.tables.contains), "\(between)")
    }

    /// The longest time from a shot to its announcement while a dial changes in steps, in milliseconds. The
    /// driver polls every 200 ms for the end of a step, so a step of 300 ms can take 500 ms. All steps
    /// together take seconds.
    private static let announcedMsMax = 1_000

    @Test(.nightly("measures the time from a shot to its announcement"), arguments: longChanges)
    func `announces a shot within a second during the steps of a dial`(
        key: String, from: String, to: String, code: String
    ) throws {
        let change = try changeWithShot(key, from, to, code)
        let last = try #require(change.operations.last { isStep($0, of: code) })
        // The steps must take longer than the limit.
        try #require((last.ns - change.shotNs) / 1_000_000 > Self.announcedMsMax)
        let read = try #require(change.operations.first { Self.reads.contains($0.code) })
        for (what, ns) in [("read", read.ns), ("announced", change.announcedNs)] {
            let delayMs = (ns - change.shotNs) / 1_000_000
            #expect(delayMs <= Self.announcedMsMax, "\(what) after \(delayMs) ms")
        }
    }

    /// Returns whether an operation moves a dial by a step.
    private func isStep(_ operation: SimulatedCamera.Operation, of code: String) -> Bool {
        operation.code == Self.step && operation.parameters.first == UInt32(code, radix: 16)
    }

    /// The record of a change in steps, during which a photo was taken.
    private struct SteppedChange {
        var results: [CameraSettingResult]
        /// The camera's operations since the start of the change.
        var operations: [SimulatedCamera.Operation]
        /// The times of the shot and of its announcement, in nanoseconds of the monotonic clock.
        var shotNs: Int
        var announcedNs: Int
    }

    /// Changes a setting in steps, and takes a photo with the camera's own button after the first step.
    private func changeWithShot(
        _ key: String, _ from: String, _ to: String, _ code: String
    ) throws -> SteppedChange {
        let (camera, worker) = try opened(stepMs: 300)
        try camera.send("dial \(key)=\(from)")
        _ = try worker.settings()
        _ = try camera.operations()
        let start = try #require(camera.body()[code])
        let command = CameraSettingsCommand([CameraSettingChange(name: key, value: to)])
        let id = try worker.send { .writeSettings(id: $0, command) }
        try pollUntil { try camera.body()[code] != start }
        let shotNs = monotonicNs()
        #expect(try camera.send("shoot").hasPrefix("ok"))
        var (announcedNs, results): (Int?, [CameraSettingResult]?) = (nil, nil)
        while announcedNs == nil || results == nil {
            switch try worker.next() {
            case .objectAdded: announcedNs = announcedNs ?? monotonicNs()
            case .settingResults(id, let all): results = all
            default: break
            }
        }
        #expect(try worker.settings([key]).first?.value?.text == to)
        return SteppedChange(
            results: try #require(results), operations: try camera.operations(), shotNs: shotNs,
            announcedNs: try #require(announcedNs))
    }

    /// The table contains every property. Reading one setting therefore also takes one request.
    @Test(.nightly("counts requests in the time that they take"), arguments: [[], ["iso"]])
    func `reading settings requests the table once`(names: [String]) throws {
        let (camera, worker) = try opened()
        _ = try worker.settings()
        _ = try camera.operations()
        let readings = try (0..<20).map { _ in
            let start = monotonicNs()
            let settings = try worker.settings(names)
            #expect(!settings.isEmpty)
            return start...monotonicNs()
        }
        let tables = try camera.operations().filter { $0.code == "9209" }.map(\.ns)
        let counts = readings.map { reading in tables.count { reading.contains($0) } }.sorted()
        // An event poll may be running when the worker starts to read.
        #expect(counts[0] == 1 && counts[counts.count / 2] == 1, "\(counts)")
    }
}
