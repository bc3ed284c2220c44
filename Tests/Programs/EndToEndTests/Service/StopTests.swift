import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of stopping or killing the service in different states of its camera and client. No photo is lost.
@Suite(.serialized, .programs(2)) struct StopTests {
    /// The longest time for a stop, in seconds.
    static let stopSeconds = 10.0

    /// The state of the camera or of a client when the service receives SIGTERM.
    enum Moment: String, CaseIterable, CustomTestStringConvertible {
        case idle, slowDownload, silentInMidFile, silentWhenIdle, cannotBeReached, silentWhenConnecting,
            streamOpen
        var testDescription: String { rawValue }
        var arguments: [String] {
            switch self {
            case .slowDownload, .silentInMidFile: ["--size", "12MB", "--rate", "1MB"]
            default: ["--size", "300KB"]
            }
        }
    }

    @Test(
        arguments: Tier.rows(Moment.allCases, gate: [.slowDownload, .silentInMidFile, .streamOpen]))
    func `SIGTERM stops the service and an interrupted photo arrives after the restart`(moment: Moment)
        async throws
    {
        let folder = try ScratchFolder()
        let (rig, camera, _) = try await stop(at: moment, folder)
        guard moment != .cannotBeReached else { return }
        try camera.command("silence off")
        if moment != .slowDownload && moment != .silentInMidFile { try camera.command("shoot") }
        try await rig.start()
        try await rig.waitUntilSaved(try camera.truth().count, within: 60)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.kill()
    }

    @Test(.nightly("measures the time of a stop"), arguments: Moment.allCases)
    func `SIGTERM stops the service within ten seconds`(moment: Moment) async throws {
        let folder = try ScratchFolder()
        let (_, _, seconds) = try await stop(at: moment, folder)
        print(
            "StopTests: \(moment.rawValue): ended in \(seconds.formatted(.number.precision(.fractionLength(1)))) s"
        )
        #expect(seconds < Self.stopSeconds)
    }

    /// Starts a service, and stops it when the camera or the client has reached the given state.
    ///
    /// - Returns: The stopped rig, its camera, and how long the stop took, in seconds.
    private func stop(at moment: Moment, _ folder: ScratchFolder) async throws -> (
        DaemonRig, Simulator, seconds: Double
    ) {
        let camera = try await Simulator(folder, moment.arguments)
        let address = moment == .cannotBeReached ? "ptpip:127.0.0.1:9" : camera.address
        let rig = try DaemonRig(cameras: [("studio-a", address)])
        if moment == .silentWhenConnecting { try camera.command("silence on") }
        try await rig.start()
        let stream = try await prepare(rig, camera, to: moment)
        let workers = rig.program?.children ?? []

        let began = ContinuousClock.now
        #expect(try await rig.stop() == 0)
        let seconds = began.duration(to: .now) / .seconds(1)
        #expect(workers.allSatisfy { kill($0, 0) != 0 }, "a worker outlived the service")
        await stream?.value
        return (rig, camera, seconds)
    }

    private func prepare(_ rig: DaemonRig, _ camera: Simulator, to moment: Moment) async throws -> Task<
        Void, Never
    >? {
        if moment == .cannotBeReached || moment == .silentWhenConnecting {
            try await eventually("a worker") { rig.program?.children.isEmpty == false ? () : nil }
            if moment == .cannotBeReached {
                try await rig.status("the condition") {
                    $0.conditions.contains { $0.code == "camera-unreachable" }
                }
            }
            return nil
        }
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        switch moment {
        case .slowDownload, .silentInMidFile:
            try camera.command("shoot")
            try await rig.waitUntil("a part file of some size") { snapshot in
                snapshot.parts.contains { path in
                    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                    return (size ?? 0) > 1_000_000
                }
            }
            if moment == .silentInMidFile { try camera.command("silence on") }
        case .silentWhenIdle: try camera.command("silence on")
        case .streamOpen:
            let client = rig.client
            let (first, sink) = AsyncStream<Void>.makeStream()
            let stream = Task.detached {
                try? client.events { _ in
                    sink.yield()
                    return true
                }
                sink.finish()
            }
            for await _ in first { break }
            return stream
        default: break
        }
        return nil
    }

    @Test(.nightly("TwoServicesTests covers two services on one state directory"))
    func `refuses a second service on the same state directory with an error`() async throws {
        let rig = try DaemonRig(cameras: [])
        try await rig.start()
        let (status, output) = try await RunningProgram.run(
            Programs.path("framefastd"),
            [
                "--config", rig.folder.path("framefast.toml"), "--state-dir", rig.folder.path("state"),
                "--socket", rig.folder.path("other.sock"),
            ], in: rig.folder)
        #expect(status == 1)
        #expect(output.contains("another framefastd uses \(rig.folder.path("state")): stop that"))
        #expect(try await rig.stop() == 0)
    }

    @Test func `a killed service leaves no worker running`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "12MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("studio-a", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntil("a transfer") { !$0.parts.isEmpty }
        let workers = rig.program?.children ?? []
        #expect(workers.count == 1)
        try await rig.kill()
        try await eventually("the worker to be gone") {
            workers.contains(where: RunningProgram.isAlive) ? nil : ()
        }
    }
}
