import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of live view through the whole chain: camera, worker, service, program.
@Suite(.programs(3)) struct LiveViewProgramTests {
    private static func isWhole(_ data: Data) -> Bool {
        data.starts(with: [0xFF, 0xD8]) && data.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// Returns the camera's output properties (0xD1B0, 0xD1B1), as the camera itself reports them.
    private func outputs(_ camera: Simulator) throws -> [String: Int] {
        try camera.controls().filter { ["d1b0", "d1b1"].contains($0.key) }
    }

    /// Decodes a picture with the program that decodes pictures for the command line.
    private func pixels(
        of jpeg: Data, fitting box: (width: UInt16, height: UInt16)
    ) throws -> (width: Int, height: Int, bytes: Data) {
        let (input, output, program) = (Pipe(), Pipe(), Process())
        program.executableURL = Programs.path("framefast-picture")
        program.standardInput = input
        program.standardOutput = output
        try program.run()
        var request = withUnsafeBytes(of: UInt32(jpeg.count).bigEndian) { Data($0) }
        for side in [box.width, box.height] {
            request += withUnsafeBytes(of: side.bigEndian) { Data($0) }
        }
        try input.fileHandleForWriting.write(contentsOf: request + jpeg)
        try input.fileHandleForWriting.close()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        let head = answer.prefix(4).map { Int($0) }
        #expect(head.count == 4)
        return (head[0] << 8 | head[1], head[2] << 8 | head[3], answer.dropFirst(4))
    }

    @Test func `streams live view while photos arrive until the viewer is killed`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "2MB"])
        let before = try outputs(camera)
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }

        let file = rig.folder.path("now.jpg")
        let save = try RunningProgram(
            Programs.path("framefast"), ["live", "studio", "--save", file, "--socket", rig.socket],
            log: rig.folder.url.appending(path: "save.log"))
        #expect(try await save.waitUntilExit() == 0, "\(save.output)")
        #expect(Self.isWhole(try Data(contentsOf: URL(filePath: file))))

        let answer = try pixels(of: Data(contentsOf: URL(filePath: file)), fitting: (60, 60))
        #expect(answer.width == 60 && answer.bytes.count == answer.width * answer.height * 3)
        // Frames have colors, and a number in the middle.
        #expect(Set(answer.bytes).count > 2)

        let viewer = try rig.startViewer()
        try await eventually("the first frames") { try viewer.outputBytes() > 5_000 ? () : nil }
        #expect(try outputs(camera) != before)
        try camera.command("burst 5 20")
        try await rig.waitUntilSaved(5)
        let soFar = try viewer.outputBytes()
        try await eventually("more frames") { try viewer.outputBytes() > soFar + 2_000 ? () : nil }

        viewer.signal(SIGKILL)
        try await viewer.waitUntilExit()
        try await eventually("live view to end") { try outputs(camera) == before ? () : nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test(arguments: Tier.rows(["nikon", "canon"], gate: 1))
    func `an overheated body ends a stream and refuses a frame with a reason`(maker: String) async throws {
        let reason = "the camera is too hot"
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let viewer = try rig.startViewer()
        let stream = try rig.startStream()
        for program in [viewer, stream] {
            try await eventually("the first frames") { try program.outputBytes() > 5_000 ? () : nil }
        }
        try camera.command("hot on")
        #expect(try await viewer.waitUntilExit() == 1)
        #expect(try await stream.waitUntilExit() == 0)
        let end = String(decoding: try Data(contentsOf: stream.log).suffix(1_000), as: UTF8.self)
        let trailer = end.split(separator: "\r\n").last { $0.hasPrefix("framefast-error: {") }
        #expect(trailer?.contains("cannot show live view of 'studio': \(reason)") == true, "\(end)")
        let words = String(decoding: try Data(contentsOf: viewer.log).suffix(400), as: UTF8.self)
        #expect(words.contains("cannot show live view of 'studio': \(reason)"), "\(words)")

        let save = try RunningProgram(
            Programs.path("framefast"),
            ["live", "studio", "--save", rig.folder.path("now.jpg"), "--socket", rig.socket],
            log: rig.folder.url.appending(path: "save.log"))
        #expect(try await save.waitUntilExit() == 1)
        #expect(save.output.contains("cannot show live view of 'studio': \(reason)"), "\(save.output)")
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("in the gate, the test with a killed viewer covers the end of live view in the camera"))
    func `ends live view after a killed service or a pulled cable`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon"])
        let before = try outputs(camera)
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let viewer = try rig.startViewer()
        try await eventually("the first frames") { try viewer.outputBytes() > 2_000 ? () : nil }
        try await rig.kill()
        try await viewer.waitUntilExit()
        try await eventually("live view to end") { try outputs(camera) == before ? () : nil }

        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let again = try rig.startViewer()
        try await eventually("the first frames") { try again.outputBytes() > 2_000 ? () : nil }
        try camera.command("unplug")
        try await again.waitUntilExit()
        #expect(try outputs(camera) != before)
        try camera.command("plug")
        try await eventually("the outputs to be restored", within: 30) {
            try outputs(camera) == before ? () : nil
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// The driver never finishes reading the frame. The stream ends because the service kills the worker.
    @Test(.nightly("LiveViewSessionTests covers an endless frame, WorkerWatchdogTests a worker that hangs"))
    func `replaces a worker that hangs in an endless frame`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "2MB"])
        let before = try outputs(camera)
        let rig = try DaemonRig(
            cameras: [("studio", camera.address)], environment: ["FRAMEFAST_SIGN_OF_LIFE_FACTOR": "1"])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let viewer = try rig.startViewer()
        try await eventually("the first frames") { try viewer.outputBytes() > 5_000 ? () : nil }
        try camera.command("bad-frame endless")
        try camera.command("shoot")
        #expect(try await viewer.waitUntilExit() != 0)
        try camera.command("shoot")
        try await rig.waitUntilSaved(2)
        try await eventually("live view to end") { try outputs(camera) == before ? () : nil }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test(.nightly("measures the number of camera frames for two viewers"))
    func `two viewers share frames although one of them has stalled`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "500KB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        let ready = try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        #expect(ready.cameras.first?.isLive == false)

        let viewer = try rig.startViewer()
        // The stalled viewer sends its request, reads the first bytes, and never reads again.
        let (idle, output) = (Process(), Pipe())
        idle.executableURL = Programs.path("framefast")
        idle.arguments = ["live", "studio", "--mjpeg", "--rate", "60", "--socket", rig.socket]
        idle.standardOutput = output
        try idle.run()
        defer { idle.terminate() }
        let stream = output.fileHandleForReading.fileDescriptor
        try await eventually("the first bytes of the stream") {
            var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) > 0 ? () : nil
        }
        var head = [UInt8](repeating: 0, count: 1_000)
        #expect(read(stream, &head, head.count) > 0)
        try await rig.status("live view to be reported") { $0.cameras.first?.isLive == true }
        func served() async throws -> (asked: Int, fromCamera: Int) {
            let (_, answer) = try MetricsReader.run(
                MetricsReader.curl, ["-sf", "--unix-socket", rig.socket, "http://localhost/metrics"])
            let text = String(decoding: answer, as: UTF8.self)
            let line = text.split(separator: "\n").first {
                $0.hasPrefix("framefast_live_view_frames_total{result=\"served\"}")
            }
            let frames = try camera.command("frames")
            let count = frames.firstMatch(of: /"served":(\d+)/).flatMap { Int($0.1) }
            return (
                line.flatMap { Double($0.split(separator: " ").last ?? "") }.map { Int($0) } ?? 0, count ?? -1
            )
        }
        try await eventually("many frames", within: 60) { try await served().asked > 20 ? () : nil }
        try camera.command("burst 10 50")
        try await rig.waitUntilSaved(10)
        let first = try viewer.outputBytes()
        try await eventually("more frames") { try viewer.outputBytes() > first + 10_000 ? () : nil }
        // Both viewers receive the same frames.
        let (asked, fromCamera) = try await served()
        #expect(fromCamera - asked < 10, "\(asked) asked for, \(fromCamera) made")
        viewer.signal(SIGKILL)
        try await viewer.waitUntilExit()
        idle.terminate()
        try await rig.status("live view to end") { $0.cameras.first?.isLive == false }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `live.jpg and live.mjpeg give curl whole pictures with types and lengths`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let address = "http://localhost/v1/cameras/studio/live.jpg"
        let (status, answer) = try MetricsReader.run(
            MetricsReader.curl, ["-sf", "--dump-header", "-", "--unix-socket", rig.socket, address])
        #expect(status == 0)
        let (head, jpeg) = try message(in: answer)
        #expect(head["content-type"] == "image/jpeg" && Self.isWhole(jpeg), "\(head)")

        let stream = try rig.startStream()
        try await eventually("two pictures of the stream") { () -> Void? in
            let (head, body) = try message(in: Data(contentsOf: stream.log))
            guard let first = try picture(after: body), try picture(after: first.rest) != nil else {
                return nil
            }
            #expect(
                head["content-type"]?.hasPrefix("multipart/x-mixed-replace; boundary=") == true, "\(head)")
            return ()
        }
        try await rig.kill()
    }

    /// Splits a message into its header fields, with names in lower case, and its body.
    private func message(in data: Data) throws -> (head: [String: String], body: Data) {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return ([:], Data()) }
        var fields: [String: String] = [:]
        for line in String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return (fields, data[end.upperBound...])
    }

    /// Returns the first part of a stream and the bytes after it, or `nil` if the part is incomplete. Expects
    /// a whole picture.
    private func picture(after data: Data) throws -> (picture: Data, rest: Data)? {
        let (head, body) = try message(in: data)
        guard let length = head["content-length"].flatMap({ Int($0) }), body.count >= length else {
            return nil
        }
        let picture = body.prefix(length)
        #expect(head["content-type"] == "image/jpeg" && Self.isWhole(picture), "\(head)")
        return (picture, body.dropFirst(length))
    }
}
