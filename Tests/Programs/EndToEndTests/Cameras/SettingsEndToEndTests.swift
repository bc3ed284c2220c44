import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Settings, presets and clocks through all of it: cameras of two makers that give the same serial number.
@Suite(.programs(3)) struct SettingsEndToEndTests {
    private func run(_ rig: DaemonRig, _ arguments: String...) async throws -> (status: Int32, output: String)
    {
        let program = try RunningProgram(
            Programs.path("framefast"), arguments + ["--json", "--socket", rig.socket],
            log: rig.folder.url.appending(path: "\(arguments[0])-\(UUID().uuidString.prefix(4)).log"))
        return (try await program.ended(), program.output)
    }

    @Test func `each camera is set as itself, a preset fits both, and a clock is set in its zone`()
        async throws
    {
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
        // Codes of their own: an EOS counts eighths of a stop, a Nikon hundredths.
        let set = try await run(rig, "set", "right", "iso=800", "aperture=5.6", "shutter=1/125")
        #expect(set.status == 0, "\(set.output)")
        let changed = try nikon.controls()
        #expect(changed["500f"] == 800 && changed["5007"] == 560 && changed["d100"] == 1 << 16 | 125)
        #expect(
            try canon.controls().filter { !["d113", "d17c"].contains($0.key) }
                == before.filter { !["d113", "d17c"].contains($0.key) })

        #expect(try await run(rig, "preset", "save", "studio", "--camera", "right").status == 0)
        #expect(try await run(rig, "preset", "diff", "studio", "right").status == 0)
        #expect(try await run(rig, "preset", "diff", "studio", "left").status == 4)
        _ = try await run(rig, "preset", "apply", "studio", "left")
        let both = try canon.controls()
        #expect(both["d103"] == 0x60 && both["d101"] == 0x30 && both["d102"] == 0x70)

        // The body's dial is turned: the service is told.
        try nikon.command("dial iso=1600")
        try await rig.status("the dial to be heard of") { status in
            status.cameras.first { $0.name == "right" }?.exposure?.iso == "1600"
        }

        try nikon.command("clock-offset -3600")
        #expect(try await run(rig, "clock", "right", "--set").status == 0)
        let clock = try await run(rig, "clock")
        #expect(clock.status == 0 && !clock.output.contains("-3600"), "\(clock.output)")
        for camera in [canon, nikon] { try camera.command("shoot 2") }
        try await rig.saved(4)
        #expect(try await rig.stop() == 0)
    }

    /// A Fujifilm does not tell of its dials: it is asked for them now and then.
    @Test(arguments: Tier.rows(["nikon", "canon", "sony", "fuji", "generic"], gate: 1))
    func `a dial that is turned arrives on the event stream with its new value`(maker: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the exposure to be known") { $0.cameras.first?.exposure?.iso == "400" }
        let stream = try RunningProgram(
            MetricsReader.curl,
            ["--silent", "--no-buffer", "--unix-socket", rig.socket, "http://localhost/v1/events"],
            log: folder.url.appending(path: "events.log"))
        func speeds() -> [String] {
            stream.output.split(separator: "\n").filter { $0.hasPrefix("data:") }.compactMap {
                $0.firstMatch(of: #/"iso":"(\w+)"/#).map { String($0.1) }
            }
        }
        try await eventually("the stream to be open") { stream.output.isEmpty ? nil : () }
        #expect(!speeds().contains("1600"))
        try camera.command("dial iso=1600")
        try await eventually("an event with the new value", within: 60) {
            speeds().last == "1600" ? () : nil
        }
        #expect(try await rig.stop() == 0)
    }
}
