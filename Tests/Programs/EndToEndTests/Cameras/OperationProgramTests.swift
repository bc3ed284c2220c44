import APIClient
import Foundation
import FrameFastAPI
import FrameFastModel
import Glibc
import TestRig
import Testing

/// Tests of long exposures and intervals through the whole chain, including kills of the service.
@Suite(.programs(3)) struct OperationProgramTests {
    private func run(_ rig: DaemonRig, _ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(
            Programs.path("framefast"), arguments + ["--socket", rig.socket],
            log: rig.folder.url.appending(path: "\(arguments[0])-\(UUID().uuidString.prefix(4)).log"))
    }

    @Test func `closes the shutter of a bulb exposure after the service is killed`() async throws {
        _ = try await exposeAndKill("canon", dials: "mode=M shutter=bulb")
    }

    /// The settings that the test makes on each camera's dials. The driver cannot change a Nikon's mode, and
    /// the dials of a Fujifilm and a Sony.
    private static let dials = [
        ("canon", "mode=M shutter=bulb"), ("nikon", "mode=M"), ("fuji", "shutter=bulb"),
        ("sony", "shutter=bulb"),
    ]

    @Test(.nightly("measures the open time of the shutter"), arguments: dials)
    func `exposes for the requested time after the service is killed`(maker: String, dials: String)
        async throws
    {
        let milliseconds = try await exposeAndKill(maker, dials: dials, seconds: 5, killedAfterSeconds: 2)
        #expect((4_980...5_020).contains(milliseconds), "\(milliseconds) ms")
    }

    /// Kills the service during an exposure.
    ///
    /// - Parameters:
    ///   - seconds: The exposure time.
    ///   - killedAfterSeconds: The time from the open shutter to the kill.
    /// - Returns: The time that the shutter was open according to the camera's log, in milliseconds.
    private func exposeAndKill(
        _ maker: String, dials: String, seconds: Int = 2, killedAfterSeconds: Double = 0
    ) async throws -> Double {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "50KB"])
        try camera.command("dial \(dials)")
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }

        let first = try run(rig, ["bulb", "studio", "500ms"])
        #expect(try await first.waitUntilExit() == 0, "\(first.output)")
        let whole = try camera.shutter()
        #expect(!whole.open)
        try await rig.waitUntilSaved(1)

        let second = try run(rig, ["bulb", "studio", "\(seconds)s", "--detach"])
        #expect(try await second.waitUntilExit() == 0, "\(second.output)")
        try await eventually("the second exposure to begin") {
            try camera.shutter().openedNs != whole.openedNs ? () : nil
        }
        let pause = WaitLimit(seconds: killedAfterSeconds)
        try await eventually("the time of the kill") { pause.isOver ? () : nil }
        #expect(try camera.shutter().open || killedAfterSeconds == 0, "the exposure ended before the kill")
        try await rig.kill()
        let closed = try await eventually("the second exposure to end") {
            let now = try camera.shutter()
            return now.open || now.openedNs == whole.openedNs ? nil : now
        }

        try await rig.start()
        // Without a service, a Sony saves its photos on the card. In PC Remote mode, the service can't read
        // the card.
        if maker != "sony" {
            try await rig.waitUntilSaved(2)
            let wrong = try await rig.untilIntact(hashes: camera.truth().map(\.sha256))
            #expect(wrong == [])
        }
        try await rig.stop()
        return Double((closed.closedNs ?? 0) - (closed.openedNs ?? 0)) / 1e6
    }

    /// The simulated camera accepts the commands for the release button, but takes no photo.
    @Test func `bulb fails if the camera accepts the commands but takes no photo`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "50KB"])
        try camera.command("dial mode=M shutter=bulb")
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for code in ["0x9128", "0x9129"] { try camera.command("fault response:0x2001*always @op \(code)") }
        let refused = try run(rig, ["bulb", "studio", "500ms"])
        #expect(try await refused.waitUntilExit() == 1, "\(refused.output)")
        // Long lines are wrapped.
        let output = refused.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(output.contains("Failed") && !output.contains("Done"), "\(output)")
        #expect(output.contains("no photo was announced"), "\(output)")
        #expect(try camera.truth().isEmpty)

        try camera.command("clear-faults")
        let taken = try run(rig, ["bulb", "studio", "500ms", "--json"])
        #expect(try await taken.waitUntilExit() == 0, "\(taken.output)")
        #expect(taken.output.contains(#""done":1"#), "\(taken.output)")
        try await rig.waitUntilSaved(1)
        #expect(try await rig.stop() == 0)
    }

    /// The maker of a camera, the operation codes of its release, and a command that takes several photos.
    private static let series: [(maker: String, codes: [String], arguments: [String])] = [
        ("generic", ["0x100e"], ["bracket", "studio", "--ev", "-1,0,1"]),
        ("canon", ["0x9128", "0x9129"], ["stack", "studio", "--count", "2"]),
    ]
    /// The options of an output format, and words of the output.
    private static let formats: [(options: [String], words: [String])] = [
        ([], ["Failed", "no photo was announced"]),
        (["--json"], [#""state":"failed""#, #""reason":"no photo was announced:"#]),
    ]

    /// The simulated camera accepts the commands for the release, but takes no photo.
    @Test(
        .nightly("waits for photos; in the gate, a bulb test covers the chain, OperationWaitTests the texts"),
        arguments: series)
    func `a bracket or focus stack without a photo fails with a reason`(
        maker: String, codes: [String], arguments: [String]
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "50KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for code in codes { try camera.command("fault response:0x2001*always @op \(code)") }
        for format in Self.formats {
            let program = try run(rig, arguments + format.options)
            #expect(try await program.waitUntilExit() == 1, "\(program.output)")
            // Long lines are wrapped.
            let output = program.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for words in format.words { #expect(output.contains(words), "\(output)") }
            #expect(!output.contains("Done"), "\(output)")
        }
        #expect(try camera.truth().isEmpty)
        #expect(try await rig.stop() == 0)
    }

    @Test func `changes settings during an interval according to its ramp file`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let ramp = rig.folder.path("ramp.txt")
        try "# Into the night\n2 iso=800\n\n3 iso=1600 aperture=1.4\n".write(
            toFile: ramp, atomically: true, encoding: .utf8)
        _ = try camera.operations()
        // A worker that is delayed for longer than the period misses a photo.
        let interval = try run(
            rig, ["interval", "studio", "--every", "6s", "--count", "3", "--ramp", ramp])
        #expect(try await interval.waitUntilExit() == 0, "\(interval.output)")
        let codes = try camera.controls()
        #expect(codes["500f"] == 1600 && codes["5007"] == 140)
        // The properties that the driver wrote.
        let sets = try camera.operations().filter { $0.code == "1016" }.compactMap(\.parameters.first)
        #expect(sets.filter { $0 == 0x500f }.count == 2 && sets.filter { $0 == 0x5007 }.count == 1, "\(sets)")
        let taken = try camera.truth()
        let wrong = try await rig.untilIntact(taken)
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    @Test func `a ramp and its failed setting survive a kill of the service`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("refuse 5007 201c")
        let ramp = rig.folder.path("ramp.txt")
        try "2 iso=800 aperture=1.4\n".write(toFile: ramp, atomically: true, encoding: .utf8)
        // The count is so high that the interval can't finish before the test stops it.
        let begun = try run(
            rig, ["interval", "studio", "--every", "500ms", "--count", "1000", "--ramp", ramp, "--detach"])
        #expect(try await begun.waitUntilExit() == 0, "\(begun.output)")
        func interval() throws -> IntervalReply {
            try rig.client.call(\.operations.getInterval, "studio").value
        }
        let failed = try await eventually("the refused setting to be reported") {
            try interval().failedSettings
        }
        #expect(failed.count == 1 && failed.photo == 2 && failed.key == "aperture" && failed.asked == "1.4")
        #expect(failed.reason == "The camera does not accept this value right now.")
        let shot = try interval().shot
        // The report of a later photo follows the report of the setting.
        try await eventually("two more photos") { try interval().shot > shot + 1 ? () : nil }
        try await rig.kill()
        // While the service is stopped, the photographer changes the setting.
        try camera.command("refuse 5007 off")
        try camera.command("dial iso=400")
        try await rig.start()
        try await eventually("the settings of the ramp", within: 60) {
            let codes = try camera.controls()
            return codes["500f"] == 800 && codes["5007"] == 140 ? () : nil
        }
        #expect(try interval().failedSettings == failed)
        let stopped = try run(rig, ["stop", "studio"])
        #expect(try await stopped.waitUntilExit() == 0, "\(stopped.output)")
        let shown = try run(rig, ["interval", "studio", "--plain"])
        #expect(try await shown.waitUntilExit() == 0)
        #expect(shown.output.contains("aperture=1.4 for photo 2: \(failed.reason)"), "\(shown.output)")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `an interval with a refused setting exits with 1 and the reason`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("refuse 500f 201c")
        let ramp = rig.folder.path("ramp.txt")
        try "2 iso=800\n".write(toFile: ramp, atomically: true, encoding: .utf8)
        // If the worker misses all photos after the first, it changes no setting.
        let interval = try run(
            rig, ["interval", "studio", "--every", "3s", "--count", "3", "--ramp", ramp, "--plain"])
        #expect(try await interval.waitUntilExit() == 1)
        #expect(
            interval.output.contains(
                "a setting was not changed: iso=800 for photo 2: The camera does not accept this value right now."
            ), "\(interval.output)")
        #expect(try camera.controls()["500f"] != 800)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    enum Interruption: String, CaseIterable { case killed, restarted, unplugged, workerKilled }

    private func perform(_ interruption: Interruption, _ camera: Simulator, _ rig: DaemonRig) async throws {
        switch interruption {
        case .killed:
            try await rig.kill()
            try await rig.start()
        case .restarted:
            #expect(try await rig.stop() == 0)
            try await rig.start()
        case .unplugged:
            try camera.command("unplug")
            try await rig.waitUntilDisconnected()
            try camera.command("plug")
        case .workerKilled: for worker in rig.program?.children ?? [] { kill(worker, SIGKILL) }
        }
    }

    @Test(arguments: Tier.rows(Interruption.allCases, gate: [.killed, .restarted]))
    func `continues an interval after an interruption and reports the missed photos`(
        interruption: Interruption
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // The count is so high that the interval can't finish before the test stops it.
        let count = 1_000
        let begun = try run(
            rig, ["interval", "studio", "--every", "200ms", "--count", "\(count)", "--detach"])
        #expect(try await begun.waitUntilExit() == 0, "\(begun.output)")
        func interval() throws -> IntervalReply {
            try rig.client.call(\.operations.getInterval, "studio").value
        }
        try await eventually("some photos to be taken") { try interval().shot >= 5 ? () : nil }
        let before = try interval().shot
        try await perform(interruption, camera, rig)
        try await eventually("the interval to take photos after the interruption", within: 60) {
            try interval().shot > before + 1 ? () : nil
        }
        let stopped = try run(rig, ["stop", "studio"])
        #expect(try await stopped.waitUntilExit() == 0, "\(stopped.output)")
        let end = try interval()
        let missed = end.missed.reduce(0) { $0 + $1.last - $1.first + 1 }
        // A photo is refused if its command failed on a broken link.
        let refused = end.refused.reduce(0) { $0 + $1.last - $1.first + 1 }
        #expect(end.state == .stopped && end.past < count && refused <= (interruption == .unplugged ? 1 : 0))
        #expect(end.shot + missed + refused == end.past && missed > 0)
        // Two photos may be taken but not yet reported: one when the service was killed, one when the
        // interval was stopped.
        let taken = try camera.truth().count
        #expect((end.shot...(end.shot + 2)).contains(taken))
        try await rig.waitUntilSaved(taken)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// The time at which a new connection lists the card after a lost event.
    enum ListingTime: String, CaseIterable {
        /// After the interval, because the pauses between its photos are too short.
        case afterInterval
        case betweenPhotos
    }

    @Test(arguments: Tier.rows(ListingTime.allCases, gate: [.afterInterval]))
    func `counts and saves each photo of an interval despite a lost event`(
        listing: ListingTime
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let (every, count) = listing == .afterInterval ? ("2s", 5) : ("40s", 2)
        if listing == .afterInterval { try camera.command("fault lost-event@shot 2") }
        let command = try run(rig, ["interval", "studio", "--every", every, "--count", "\(count)"])
        if listing == .betweenPhotos {
            try await eventually("the first photo") { try camera.truth().isEmpty ? nil : () }
            // The body takes two more photos, and announces only the second one.
            try camera.command("fault lost-event")
            try camera.command("shoot 2")
            try await eventually("the connection to end") {
                rig.log.contains("camera connection ended") ? () : nil
            }
            #expect(try camera.truth().count == 3, "the new connection waited for the interval")
        }
        let status = try await command.waitUntilExit(within: 120)
        let end = try rig.client.call(\.operations.getInterval, "studio").value
        let others = (end.missed + end.refused).reduce(0) { $0 + $1.last - $1.first + 1 }
        #expect(end.state == .ended && end.past == count && end.shot + others == count, "\(end)")
        // A busy machine may miss a photo. Then the command reports a failure.
        #expect((status == 0) == (end.shot == count), "\(status) \(command.output)")
        let taken = try camera.truth()
        #expect(taken.count == end.shot + (listing == .betweenPhotos ? 2 : 0))
        let wrong = try await rig.untilIntact(taken)
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    /// The signal that ends workers, and the number of workers that must end while they restore the same
    /// setting. A segmentation fault simulates a crash of the driver.
    private static let deaths: [(signal: Int32, count: Int)] = [(SIGSEGV, 1), (SIGKILL, 2)]

    /// Ends the worker of a bracket, and the next workers while they restore the exposure.
    @Test(arguments: Tier.rows(deaths, gate: 1))
    func `stops restoring a setting if this ends workers, and asks for confirmation`(
        signal: Int32, count: Int
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "20KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // The bracket must not end before the test kills its worker. 99 is the largest number of photos.
        let stops = Array(repeating: "1", count: 99).joined(separator: ",")
        let begun = try run(rig, ["bracket", "studio", "--ev", stops, "--detach"])
        #expect(try await begun.waitUntilExit() == 0, "\(begun.output)")
        try await eventually("the bracket to take photos") { try camera.truth().count >= 2 ? () : nil }
        // The camera no longer responds to a write of a setting.
        try camera.command("fault stall*always @op 0x1016")
        func killWorkers() { for worker in rig.program?.children ?? [] { kill(worker, signal) } }
        killWorkers()
        // If an attempt times out before the kill, the service restarts the count of attempts.
        var killed = 0
        try await eventually("\(count) workers to end while they restore the exposure", within: 60) {
            let attempt =
                Self.notes(in: rig.folder.url).firstMatch(of: /"attempt: [^"]*":"([0-9]+) [0-9]+"/)
                .flatMap { Int($0.1) } ?? 0
            // Kills each new worker after the worker has started an attempt.
            if attempt > killed { killWorkers() }
            killed = attempt
            return killed >= count ? () : nil
        }
        try camera.command("clear-faults")
        let status = try await rig.status("the camera to be ready, with a condition") {
            $0.cameras.first?.state == .ready
                && $0.conditions.contains { $0.code == "settings-not-restored" }
        }
        // 'framefast stop' both stops the running operation and confirms the setting.
        let interval = try run(rig, ["interval", "studio", "--every", "5s", "--count", "500", "--detach"])
        #expect(try await interval.waitUntilExit() == 0, "\(interval.output)")
        let confirmed = try await PrintedCommand.run(
            of: "settings-not-restored", in: status, on: rig, verbs: "stop studio")
        #expect(confirmed.status == 0, "\(confirmed.output)")
        try await rig.status("the condition to end") {
            !$0.conditions.contains { $0.code == "settings-not-restored" }
        }
        let wrong = try await rig.untilIntact(hashes: camera.truth().map(\.sha256))
        #expect(wrong == [], "[loss] wrong photos")
        try await rig.stop()
    }

    /// Returns the contents of the files in which workers record the camera settings to restore.
    private static func notes(in folder: URL) -> String {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let notes = files?.compactMap { $0 as? URL }.filter { $0.lastPathComponent == "camera-settings.json" }
        return (notes ?? []).compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined()
    }
}
