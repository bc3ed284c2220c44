import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing
import Vocabulary

/// Tests of live view under load: viewers that do not keep up, and photos at the same time.
@Suite(.programs(3)) struct LiveViewLoadTests {
    /// Starts a camera and a service, and waits until the camera is ready.
    private func start(_ folder: ScratchFolder) async throws -> (camera: Simulator, rig: DaemonRig) {
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "2MB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        return (camera, rig)
    }

    /// The operation that reads a frame of an EOS, and the operations that read a part of a photo.
    private static let (frameRead, photoReads) = ("9153", ["1009", "101b", "9104", "9107"])

    /// Expects that each photo is read completely before the next frame.
    private func expectNoFrames(inside photos: [Simulator.Shot], _ operations: [Simulator.Operation]) throws {
        var parts = 0
        for photo in photos {
            let reads = operations.indices.filter {
                Self.photoReads.contains(operations[$0].code)
                    && operations[$0].parameters.first == photo.handle
            }
            let (first, last) = (try #require(reads.first), try #require(reads.last))
            parts = max(parts, reads.count)
            let codes = operations[first...last].map(\.code)
            #expect(!codes.contains(Self.frameRead), "\(photo.name): \(codes)")
        }
        #expect(parts > 1, "no photo was read in parts")
    }

    /// The limit of the bytes queued for a viewer: the system's buffer (about 200 KB on most computers) plus
    /// 400 KB, which is the size of about 28 large frames.
    private static let queuedBytesMax: Int = {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/wmem_default", encoding: .utf8)
        let buffer = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return (buffer ?? 212_992) + 400_000
    }()

    @Test func `queues few bytes for a stopped viewer and serves other viewers`() async throws {
        let folder = try ScratchFolder()
        let (camera, rig) = try await start(folder)
        let stopped = try rig.startStream(query: "?size=large&rate=60")
        try await eventually("the first frames") { try stopped.outputBytes() > 5_000 ? () : nil }
        stopped.signal(SIGSTOP)
        try await eventually("the viewer to stop") { try stopped.isStopped() ? () : nil }
        let received = try stopped.outputBytes()
        let viewer = try rig.startViewer(["--rate", "60"])
        try await eventually("the first frames") { try viewer.outputBytes() > 5_000 ? () : nil }

        _ = try camera.operations()
        try camera.command("burst 10 50")
        try await rig.waitUntilSaved(10)
        let operations = try camera.operations()
        let photos = try camera.truth()
        try expectNoFrames(inside: photos, operations)
        let soFar = try viewer.outputBytes()
        // If the service queued all frames, it would keep these bytes for the stopped viewer.
        try await eventually("more frames than the limit of the queue", within: 120) {
            try viewer.outputBytes() > soFar + 2 * Self.queuedBytesMax ? () : nil
        }
        let wrong = try await rig.untilIntact(photos)
        #expect(wrong == [])

        // All streams end with the connection. The stopped viewer then receives all bytes of its queue.
        try camera.command("unplug")
        #expect(try await viewer.waitUntilExit() != 0)
        stopped.signal(SIGCONT)
        try await stopped.waitUntilExit()
        let queued = try stopped.outputBytes() - received
        #expect(queued < Self.queuedBytesMax, "\(queued) bytes")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("in the gate, the test with a stopped viewer covers the queue, photos and other viewers"))
    func `a very slow viewer delays neither photos nor other viewers`() async throws {
        let folder = try ScratchFolder()
        let (camera, rig) = try await start(folder)
        let slow = try rig.startStream(["--limit-rate", "1k"])
        let viewer = try rig.startViewer()
        for program in [slow, viewer] {
            try await eventually("the first frames") { try program.outputBytes() > 500 ? () : nil }
        }
        try camera.command("burst 20 50")
        try await rig.waitUntilSaved(20)
        let soFar = try viewer.outputBytes()
        try await eventually("more frames") { try viewer.outputBytes() > soFar + 20_000 ? () : nil }
        for program in [slow, viewer] {
            program.signal(SIGKILL)
            try await program.waitUntilExit()
        }
        try await eventually("live view to end") { try camera.isLive() ? nil : () }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// The number of photos of a measurement, and the pause before each photo.
    private static let (photos, pauseSeconds) = (11, 5.0)

    /// Takes photos with pauses.
    ///
    /// - Parameter before: The number of photos that are already saved.
    /// - Returns: The median time from a shot to its saved photo, in seconds.
    private func median(_ camera: Simulator, _ rig: DaemonRig, after before: Int) async throws -> Double {
        var times: [Double] = []
        for photo in 1...Self.photos {
            let pause = WaitLimit(seconds: Self.pauseSeconds)
            try await eventually("a pause", within: 4 * Self.pauseSeconds) { pause.isOver ? () : nil }
            let shot = LivedTime.now
            try camera.command("shoot")
            try await rig.waitUntilSaved(before + photo)
            times.append(LivedTime.now - shot)
        }
        return times.sorted()[Self.photos / 2]
    }

    /// The limit for the delay of photos by a slow viewer, in seconds, and for the growth of a program's
    /// memory, in bytes. The frames of one minute have more than 4 MB, which exceeds this growth.
    private static let (delayMax, growthMax) = (0.15, 3 << 20)

    @Test(.nightly("measures memory, and the time from a shot to its saved photo"))
    func `a slow viewer delays no photos and needs little memory`() async throws {
        let folder = try ScratchFolder()
        let (camera, rig) = try await start(folder)
        // The other viewer runs in both measurements, because the worker polls more often with live view.
        let viewer = try rig.startViewer()
        try await eventually("the first frames") { try viewer.outputBytes() > 5_000 ? () : nil }
        let without = try await median(camera, rig, after: 0)
        let service = try #require(rig.program)
        let worker = try #require(service.children.first)
        func memory() throws -> [UInt64] {
            try [service.pid, worker].map { try RunningProgram.residentBytes(of: $0) }
        }

        let slow = try rig.startStream(["--limit-rate", "1k"])
        try await eventually("the first bytes") { try slow.outputBytes() > 500 ? () : nil }
        let before = try memory()
        let with = try await median(camera, rig, after: Self.photos)
        for (first, last) in zip(before, try memory()) {
            #expect(Int(last) - Int(first) < Self.growthMax, "\(last) bytes after \(first)")
        }
        #expect(with <= without + Self.delayMax, "\(with) s with the viewer, \(without) s without")
        #expect(service.children == [worker], "the service started another worker")
        let soFar = try viewer.outputBytes()
        try await eventually("more frames") { try viewer.outputBytes() > soFar + 2_000 ? () : nil }
        for program in [slow, viewer] {
            program.signal(SIGKILL)
            try await program.waitUntilExit()
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.kill()
    }

    @Test(.nightly("measures memory"))
    func `a viewer that never reads does not increase the service's memory`() async throws {
        let folder = try ScratchFolder()
        let (camera, rig) = try await start(folder)
        let viewer = try rig.startViewer()
        let (idle, output) = (Process(), Pipe())
        idle.executableURL = MetricsReader.curl
        idle.arguments = [
            "-s", "--no-buffer", "--unix-socket", rig.socket,
            "http://localhost/v1/cameras/studio/live.mjpeg?rate=30",
        ]
        idle.standardOutput = output
        try idle.run()
        defer { idle.terminate() }
        try await eventually("the first frames") { try viewer.outputBytes() > 5_000 ? () : nil }
        // The measurement starts after the first photo and frames, which fill the service's caches.
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        let service = try #require(rig.program).pid
        let before = try RunningProgram.residentBytes(of: service)
        let (photos, pauseSeconds) = (10, 6.0)
        for photo in 1...photos {
            let pause = WaitLimit(seconds: pauseSeconds)
            try await eventually("a pause", within: 4 * pauseSeconds) { pause.isOver ? () : nil }
            try camera.command("shoot")
            try await rig.waitUntilSaved(1 + photo)
        }
        let growth = Int(try RunningProgram.residentBytes(of: service)) - Int(before)
        #expect(growth < 4 << 20, "\(growth) bytes more than \(before)")
        let soFar = try viewer.outputBytes()
        try await eventually("more frames") { try viewer.outputBytes() > soFar + 2_000 ? () : nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.kill()
    }
}
