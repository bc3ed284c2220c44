import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of settings, presets and clocks through the whole chain. In one test, cameras of two makers report
/// the same serial number.
@Suite(.programs(3)) struct SettingsEndToEndTests {
    private func run(_ rig: DaemonRig, _ arguments: String...) async throws -> (status: Int32, output: String)
    {
        let program = try RunningProgram(
            Programs.path("framefast"), arguments + ["--json", "--socket", rig.socket],
            log: rig.folder.url.appending(path: "\(arguments[0])-\(UUID().uuidString.prefix(4)).log"))
        return (try await program.waitUntilExit(), program.output)
    }

    @Test func `sets cameras separately and by one preset, and sets a clock`() async throws {
        let folder = try ScratchFolder()
        let canon = try await Simulator(
            folder, name: "canon", ["--maker", "canon", "--serial", "000000", "--size", "50KB"])
        let nikon = try await Simulator(
            folder, name: "nikon", ["--maker", "nikon", "--serial", "000000", "--size", "50KB"])
        let rig = try DaemonRig(cameras: [("left", canon.address), ("right", nikon.address)])
        try await rig.start()
        try await rig.status("both cameras to be ready") { status in
            status.cameras.count == 2 && status.cameras.allSatisfy { $0.state == .ready }
        }
        let before = try canon.controls()
        // The camera does not offer ISO 790.
        let exact = try await run(rig, "set", "right", "iso=790")
        #expect(exact.status == 1 && exact.output.contains("\"unsupported\""), "\(exact.output)")
        let nearest = try await run(rig, "set", "right", "iso=790", "--nearest")
        #expect(nearest.status == 0 && nearest.output.contains("\"value\":\"800\""), "\(nearest.output)")
        #expect(try nikon.controls()["500f"] == 800)
        // Each maker has its own codes. For apertures, an EOS counts eighths of a stop, and a Nikon counts
        // hundredths of the f-number.
        let set = try await run(rig, "set", "right", "iso=800", "aperture=5.6", "shutter=1/125")
        #expect(set.status == 0, "\(set.output)")
        let changed = try nikon.controls()
        #expect(changed["500f"] == 800 && changed["5007"] == 560 && changed["d100"] == 1 << 16 | 125)
        #expect(
            try canon.controls().filter { !["d113", "d17c"].contains($0.key) }
                == before.filter { !["d113", "d17c"].contains($0.key) })

        #expect(try await run(rig, "preset", "save", "studio", "right").status == 0)
        #expect(try await run(rig, "preset", "diff", "studio", "right").status == 0)
        #expect(try await run(rig, "preset", "diff", "studio", "left").status == 4)
        _ = try await run(rig, "preset", "apply", "studio", "left")
        let both = try canon.controls()
        #expect(both["d103"] == 0x60 && both["d101"] == 0x30 && both["d102"] == 0x70)

        // A dial of the body is turned, and the camera reports the change.
        try nikon.command("dial iso=1600")
        try await rig.status("the dial to be reported") { status in
            status.cameras.first { $0.name == "right" }?.exposure?.iso == "1600"
        }

        try nikon.command("clock-offset -3600")
        try await SetClocks.untilCorrect { try await run(rig, "clock", "right", "--set") }
        let clock = try await run(rig, "clock")
        #expect(clock.status == 0 && !clock.output.contains("-3600"), "\(clock.output)")
        for camera in [canon, nikon] { try camera.command("shoot 2") }
        try await rig.waitUntilSaved(4)
        #expect(try await rig.stop() == 0)
    }

    /// Starts a service with a camera, waits until the exposure is reported, and follows the service's
    /// events.
    private func stream(
        _ folder: ScratchFolder, _ maker: String
    ) async throws -> (camera: Simulator, rig: DaemonRig, stream: RunningProgram) {
        let camera = try await Simulator(folder, ["--maker", maker])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the exposure to be reported") { $0.cameras.first?.exposure?.iso == "400" }
        let stream = try RunningProgram(
            MetricsReader.curl,
            ["--silent", "--no-buffer", "--unix-socket", rig.socket, "http://localhost/v1/events"],
            log: folder.url.appending(path: "events.log"))
        try await eventually("the stream to be open") { stream.output.isEmpty ? nil : () }
        return (camera, rig, stream)
    }

    /// The film speed in an event, and the source of the last change to the camera's settings.
    private struct Exposure {
        var iso: String
        var changedBy: String?
    }

    /// Returns the exposures on the service's event stream, oldest first.
    private func exposures(_ stream: RunningProgram) -> [Exposure] {
        // The last line may be incomplete.
        let lines = stream.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.filter { $0.hasPrefix("data:") }.compactMap { line in
            line.firstMatch(of: #/"iso":"(\w+)"/#).map { iso in
                let source = line.firstMatch(of: #/"changed_by":"(\w+)"/#).map { String($0.1) }
                return Exposure(iso: String(iso.1), changedBy: source)
            }
        }
    }

    /// Waits until the last exposure on the event stream has this film speed, and returns the source of the
    /// change.
    private func source(of iso: String, _ stream: RunningProgram) async throws -> String? {
        try await eventually("an event with ISO \(iso)", within: 60) {
            exposures(stream).last.flatMap { $0.iso == iso ? $0 : nil }
        }.changedBy
    }

    /// A Fujifilm does not report dial changes, so the daemon polls them.
    @Test(arguments: Tier.rows(["nikon", "canon", "sony", "fuji", "generic"], gate: 1))
    func `reports dial changes and requests as distinct events`(maker: String) async throws {
        let folder = try ScratchFolder()
        let (camera, rig, stream) = try await stream(folder, maker)
        #expect(!exposures(stream).contains { $0.iso == "1600" })
        try camera.command("dial iso=1600")
        #expect(try await source(of: "1600", stream) == "camera")
        #expect(try await run(rig, "set", "studio", "iso=800").status == 0)
        #expect(try await source(of: "800", stream) == "request")
        try camera.command("dial iso=1600")
        #expect(try await source(of: "1600", stream) == "camera")
        #expect(try await rig.stop() == 0)
    }

    /// The longest time from a turned dial to its event, in seconds, by maker. The service reads the dials of
    /// a Fujifilm every eight seconds. The driver then still returns the previous value for some seconds.
    private static let dialLimits = [
        ("nikon", 1.2), ("canon", 1.2), ("sony", 1.2), ("generic", 1.2), ("fuji", 18.0),
    ]
    /// The film speeds to set, and the idle time before each change, in seconds. After a minute without
    /// changes, the worker polls at its longest interval.
    private static let rests = [("1600", 3.0), ("800", 65.0), ("1600", 62.5)]

    @Test(.nightly("measures the time from a dial to its event"), arguments: dialLimits)
    func `reports a turned dial in time when the camera is idle`(
        maker: String, limitSeconds: Double
    ) async throws {
        let folder = try ScratchFolder()
        let (camera, rig, stream) = try await stream(folder, maker)
        for (speed, restSeconds) in Self.rests {
            let rest = WaitLimit(seconds: restSeconds)
            try await eventually("a pause of \(restSeconds) seconds", within: 4 * restSeconds) {
                rest.isOver ? () : nil
            }
            let turned = LivedTime.now
            try camera.command("dial iso=\(speed)")
            try await eventually("an event with the new value", within: 60) {
                exposures(stream).last?.iso == speed ? () : nil
            }
            let seconds = LivedTime.now - turned
            #expect(seconds <= limitSeconds, "\(seconds) s after a rest of \(restSeconds) s")
        }
        #expect(try await rig.stop() == 0)
    }

    @Test func `applies one preset on connection and another during a session`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "nikon", "--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [],
            tables: [
                "[[camera]]", "name = \"studio\"", "address = \"\(camera.address)\"", "preset = \"studio\"",
            ])
        // Presets as a person would write them.
        let presets = rig.folder.url.appending(path: "state/presets")
        try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
        for (name, settings) in [
            ("studio", "iso = \"800\"\naperture = \"5.6\""), ("detail", "iso = \"100\"\nshutter = \"1/60\""),
        ] {
            try "[settings]\n\(settings)\n".write(
                to: presets.appending(path: "\(name).toml"), atomically: true, encoding: .utf8)
        }
        let keys: Set<String> = ["500f", "5007", "d100"]
        func codes() throws -> [String: Int] { try camera.controls().filter { keys.contains($0.key) } }
        let speed = try #require(try codes()["d100"])
        try await rig.start()
        let atConnection = ["500f": 800, "5007": 560, "d100": speed]
        try await eventually("the preset of the connection to apply: \(codes())") {
            try codes() == atConnection ? () : nil
        }
        // The program shows the differences of connected cameras only.
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let started = try RunningProgram(
            Programs.path("framefast"),
            [
                "session", "start", "A", "--preset", "detail", "--give-back", "--plain", "--socket",
                rig.socket,
            ],
            log: rig.folder.url.appending(path: "session-start.log"))
        #expect(try await started.waitUntilExit() == 0, "\(started.output)")
        // The differences are shown before the session's preset applies.
        let lines = started.output.split(separator: "\n")
        let differences = lines.prefix { $0 != "session started: A" }
        #expect(differences.contains("would set: studio: iso 100, is 800"), "\(lines)")
        #expect(lines.dropFirst(differences.count).contains("set: studio: iso 100"), "\(lines)")
        #expect(try codes() == ["500f": 100, "5007": 560, "d100": 1 << 16 | 60])
        let stopped = try await run(rig, "session", "stop")
        #expect(stopped.status == 0, "\(stopped.output)")
        #expect(try codes() == atConnection)
        #expect(try await rig.stop() == 0)
    }
}
