import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of a camera that stops responding while other cameras continue.
@Suite(.serialized, .programs(3)) struct SilentCameraTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func camera(_ name: String, _ more: [String] = []) async throws -> Simulator {
        try await Simulator(folder, name: name, ["--size", "200KB", "--serial", name.uppercased()] + more)
    }

    private func waitUntilReady(_ rig: DaemonRig) async throws {
        try await rig.status("every camera to be ready") { $0.cameras.allSatisfy { $0.state == .ready } }
    }

    /// Returns the process id of a camera's worker, or `nil` if the worker is not running. The worker's first
    /// argument is the camera's name.
    private func worker(_ name: String, of rig: DaemonRig) -> Int32? {
        rig.program?.children.first { pid in
            let line = (try? Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))) ?? Data()
            return line.split(separator: 0).dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
                == name
        }
    }

    @Test func `reports an unresponsive camera and reconnects while two others keep shooting`() async throws {
        try await shootWithSilentCamera(gapSecondsMax: nil)
    }

    @Test(.nightly("measures the gap between two photos of the other cameras"))
    func `keeps saving the other cameras' photos while one camera is unresponsive`() async throws {
        try await shootWithSilentCamera(gapSecondsMax: 2)
    }

    /// - Parameter gapSecondsMax: The longest time until a photo of the other cameras is saved, in seconds,
    ///   or `nil` if the test does not measure the time.
    private func shootWithSilentCamera(gapSecondsMax: Double?) async throws {
        let silent = try await camera("a")
        let others = [try await camera("b"), try await camera("c")]
        let rig = try DaemonRig(
            cameras: [("a", silent.address), ("b", others[0].address), ("c", others[1].address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try silent.command("shoot")
        try await rig.waitUntilSaved(1)
        let firstWorker = try #require(worker("a", of: rig))

        try silent.command("silence on")
        let fellSilent = Date()
        var shots = 0
        var isMissed = false
        while !isMissed {
            for other in others { try other.command("shoot") }
            shots += 2
            // Each photo is saved before the camera takes the next photo. The wait for a saved photo detects
            // a gap.
            let status = try await rig.status("the other cameras' photos", within: gapSecondsMax ?? 30) {
                $0.captures.total >= 1 + shots
            }
            isMissed = status.conditions.contains {
                $0.code == "camera-unreachable" && $0.subject == "a"
            }
            try #require(Date().timeIntervalSince(fellSilent) < (gapSecondsMax == nil ? 120 : 30))
            try await Task.sleep(for: .milliseconds(100))
        }
        try await eventually("a new worker") {
            worker("a", of: rig).map { $0 != firstWorker } == true ? () : nil
        }

        try silent.command("shoot 2")
        try silent.command("silence off")
        try await rig.status("every photo, every camera, and no condition", within: 60) { status in
            status.captures.total >= 1 + shots + 2 && status.conditions.isEmpty
                && status.cameras.allSatisfy { $0.state == .ready }
        }
        let wrong = try await rig.untilIntact(silent.truth() + others[0].truth() + others[1].truth())
        #expect(wrong == [])
        if gapSecondsMax != nil {
            for other in others {
                #expect(try other.command("stats").contains("\"sessions\":1,"))
            }
        }
        try await rig.stop()
    }

    @Test(
        .nightly("measures the time until a stopped worker is replaced; WorkerLinkTests covers it")
    )
    func `replaces a stopped worker within 15 seconds and fetches its photos`() async throws {
        let camera = try await camera("a", ["--rate", "2MB"])
        let other = try await self.camera("b")
        let rig = try DaemonRig(
            cameras: [("a", camera.address), ("b", other.address)],
            environment: ["FRAMEFAST_SIGN_OF_LIFE_FACTOR": "1"])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot 10")
        try await rig.waitUntilSaved(2)
        let stuck = try #require(worker("a", of: rig))
        #expect(kill(stuck, SIGSTOP) == 0)
        let stopped = Date()
        try other.command("shoot 3")
        try await eventually("the stopped worker to be replaced", within: 15) {
            worker("a", of: rig).map { $0 != stuck } == true ? () : nil
        }
        // The limit is 6 s without a heartbeat plus 9 s for the replacement.
        #expect(Date().timeIntervalSince(stopped) < 15)
        #expect(kill(stuck, 0) == -1, "the worker is gone")
        try await rig.waitUntilSaved(13)
        let wrong = try await rig.untilIntact(camera.truth() + other.truth())
        #expect(wrong == [])
        try await rig.stop()
    }
}
