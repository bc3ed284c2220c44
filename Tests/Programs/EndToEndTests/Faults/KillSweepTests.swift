import Foundation
import Glibc
import TestRig
import Testing

/// Tests that no photo is lost, duplicated or incomplete when processes are killed at random moments.
@Suite(.serialized, .programs(4)) struct KillSweepTests {
    /// The number of kills in a run.
    static let kills = Sweep.isWhole ? 200 : Tier.isNight ? 60 : 12
    /// The number of photos that the camera takes in a run.
    static let shots = Sweep.isWhole ? 500 : Tier.isNight ? 150 : 30
    /// The time limit for all shots, as a multiple of the time that the camera needs for them.
    static let shootingFactor = 3.0
    /// The time between two shots, in milliseconds.
    static let intervalMs = 350
    /// The longest pause before a kill, in milliseconds. In this time, a service can connect, list the
    /// card and save some photos.
    static let lifeMaxMs = 1_100

    enum KillTarget: String, CaseIterable { case worker, daemon, both }

    @Test func `saves photos despite killed processes and a flaky link`() async throws {
        var random = SeededRandom()
        print("KillSweepTests: \(random.note)")
        do { try await sweep(&random) } catch {
            throw WaitTimeout(description: "\(random.note): \(error)")
        }
    }

    private func sweep(_ random: inout SeededRandom) async throws {
        let note = Comment(rawValue: random.note)
        let began = ContinuousClock.now
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder,
            [
                "--size", "100KB-800KB", "--shots", "\(Self.shots)", "--interval", "\(Self.intervalMs)",
                "--wait-for-client",
            ])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        let reader = FinalNameReader(rig.captures)
        try await rig.start()

        var dead: [String: Int] = [:]
        for _ in 0..<Self.kills {
            let target = KillTarget.allCases.randomElement(using: &random) ?? .both
            if Int.random(in: 0..<4, using: &random) == 0 { try injectLinkFault(camera, &random) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...Self.lifeMaxMs, using: &random)))
            try await killProcesses(target, rig)
            dead[target.rawValue, default: 0] += 1
        }
        let atTheLastKill = (try? rig.files().count) ?? 0
        try camera.command("clear-faults")
        // The camera shoots at a fixed rate. On a fast computer, the last kill may precede the last shot.
        let shootingSeconds = Double(Self.shots * Self.intervalMs) / 1000 * Self.shootingFactor
        try await eventually("all shots to be taken", within: shootingSeconds) {
            try camera.truth().count == Self.shots ? () : nil
        }
        try await rig.waitUntilSaved(Self.shots, within: 60)
        #expect(try await rig.stop() == 0, note)
        try await rig.start()

        let truth = try camera.truth()
        let wrong = try await rig.untilIntact(truth)
        #expect(wrong == [], note)
        let whole = Set(truth.map { "\($0.size) \($0.sha256)" })
        let found = reader.stop()
        #expect(found.count == Self.shots, "[loss] wrong number of files; \(random.note)")
        let torn = found.filter { !whole.contains("\($0.size) \($0.sha256)") }
        #expect(torn.isEmpty, "[loss] incomplete when first seen: \(torn); \(random.note)")
        #expect(try await rig.stop() == 0, note)
        print(
            "KillSweepTests: \(Self.kills) kills (\(dead)), \(atTheLastKill) photos saved at the last one, "
                + "\(found.count) files read as they appeared, \(began.duration(to: .now))")
    }

    /// Injects a link fault at one of the next photos.
    private func injectLinkFault(_ camera: Simulator, _ random: inout SeededRandom) throws {
        let faults = ["drop", "reset", "drop:1000", "reset:90000", "stall:300", "link-down:200"]
        try camera.command("fault \(faults.randomElement(using: &random) ?? "drop")")
    }

    /// Kills the processes. A killed service is started again immediately.
    private func killProcesses(_ target: KillTarget, _ rig: DaemonRig) async throws {
        guard let program = rig.program, program.isRunning else {
            throw WaitTimeout(description: "framefastd ended unexpectedly: \(rig.log.suffix(3000))")
        }
        // At this moment, the service may have no worker.
        let workers = target == .daemon ? [] : program.children
        for worker in workers { kill(worker, SIGKILL) }
        guard target != .worker else {
            guard workers.isEmpty else { return }
            let late = try await eventually("a worker") { program.children.first }
            kill(late, SIGKILL)
            return
        }
        try await rig.kill()
        try rig.launch()
    }
}
