import Foundation
import FrameFastAPI
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of the service with a worker that a camera has compromised.
@Suite(.serialized, .programs(2)) struct HostileWorkerTests {
    /// The messages of each hostile worker. Each worker runs until the service ends it.
    private static let messages: [[WorkerEvent]] = [
        [.opened(id: 1, CameraFacts(clockDriftSeconds: .min))],
        [
            .opened(id: 1, CameraFacts(maker: "M", model: "M", serial: "1")),
            .objectAdded(CameraObject(folder: "/", name: "A.JPG", size: 1, cameraTime: .min)),
        ],
        [.opened(id: 1, CameraFacts(mustDeleteAfterSave: true, bufferBytes: .max, bufferedBytes: .max))],
    ]
    /// The maximum memory of the service with a hostile worker, in bytes. The service normally uses about 60
    /// MB.
    private static let memoryMax: UInt64 = 300_000_000

    @Test func `ends and replaces a worker that sends impossible facts`() async throws {
        _ = try await replaceHostileWorkers()
    }

    @Test(.nightly("measures memory"))
    func `memory stays below the limit while workers send impossible facts`() async throws {
        #expect(try await replaceHostileWorkers() < Self.memoryMax)
    }

    /// Runs hostile workers, and then a real worker, which fetches a photo.
    ///
    /// - Returns: The peak of the service's memory, in bytes.
    private func replaceHostileWorkers() async throws -> UInt64 {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, name: "a", ["--size", "200KB"])
        let hello = WorkerEvent.hello(
            WorkerHello(protocolVersion: WorkerMessage.protocolVersion, pid: 1, libraryVersion: "2"))
        for (number, events) in Self.messages.enumerated() {
            let frames = try ([hello] + events).reduce(Data()) { try $0 + WorkerMessage.encode($1) }
            try frames.write(to: folder.url.appending(path: "frames-\(number)"))
        }
        // After the hostile workers, one worker writes a call trace of 8 GiB and crashes. The next worker is
        // the real program.
        let script = """
            #!/bin/sh
            cd '\(folder.url.path)' || exit 1
            echo >>workers
            number=$(($(wc -l <workers) - 1))
            if [ -e frames-$number ]; then cat frames-$number >&0; exec sleep 600; fi
            if [ $number = \(Self.messages.count) ]; then truncate -s 8G "$\(CallTrace.environmentKey)"; kill -SEGV $$; fi
            exec '\(Programs.path("framefast-camera").path)' "$@"
            """
        let program = folder.path("worker")
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)

        let rig = try DaemonRig(
            cameras: [("a", camera.address)], environment: ["FRAMEFAST_CAMERA_PROGRAM": program])
        try await rig.start()
        let service = try #require(rig.program?.pid)
        try await rig.status("the camera with a real worker", within: 90) { status in
            status.cameras.first?.state == .ready && workerCount(in: folder) > Self.messages.count + 1
        }
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        #expect(rig.program?.pid == service && rig.program?.isRunning == true)
        #expect(
            rig.log.components(separatedBy: "killed a worker that violated the protocol").count - 1
                == Self.messages.count)
        let peak = try RunningProgram.peakBytes(of: service)
        try await rig.stop()
        return peak
    }

    /// A program that forwards all messages between the service and a real worker. Before the program
    /// forwards the message that a photo is complete, it opens this photo for writing and keeps it open. From
    /// the second start, the program runs only the real worker.
    private static let keeper = """
        #!/usr/bin/python3
        import json, os, socket, subprocess, sys, threading
        marker, program = sys.argv[0] + ".ran", sys.argv[0] + ".true"
        if os.path.exists(marker):
            os.execv(os.readlink(program), [program] + sys.argv[1:])
        open(marker, "w").close()
        service = socket.socket(fileno=os.dup(0))
        ours, theirs = socket.socketpair()
        subprocess.Popen([os.readlink(program)] + sys.argv[1:], stdin=theirs)
        theirs.close()
        folder = sys.argv[sys.argv.index("--photos") + 1]
        def commands():
            while data := service.recv(65536):
                ours.sendall(data)
            os._exit(0)
        threading.Thread(target=commands, daemon=True).start()
        stream, kept = ours.makefile("rb"), []
        while head := stream.read(4):
            body = stream.read(int.from_bytes(head, "big"))
            if "fetched" in json.loads(body):
                kept += [open(folder + "/" + name, "r+b") for name in os.listdir(folder) if name.endswith(".part")]
            service.sendall(head + body)
        """

    @Test func `fetches a photo again if its worker keeps the file open`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, name: "a", ["--size", "200KB"])
        let program = folder.path("worker")
        try Self.keeper.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try FileManager.default.createSymbolicLink(
            atPath: program + ".true", withDestinationPath: Programs.path("framefast-camera").path)
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], environment: ["FRAMEFAST_CAMERA_PROGRAM": program])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        #expect(rig.log.contains("the worker still has a photo open"))
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    private func workerCount(in folder: ScratchFolder) -> Int {
        (try? String(contentsOfFile: folder.path("workers"), encoding: .utf8))?.count ?? 0
    }
}
