import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

@Suite(.serialized, .programs(2)) struct WorkerFailureTests {
    private func failure(_ event: WorkerEvent) -> WorkerFailure? {
        if case .failed(_, let failure) = event { failure } else { nil }
    }

    private func lost(_ worker: WorkerProcess) throws -> WorkerFailure {
        try worker.wait { if case .lost(let failure) = $0 { failure } else { nil } }
    }

    // MARK: Failures of the daemon

    @Test func `ends when the daemon closes its socket`() throws {
        let worker = try WorkerProcess()
        worker.hangUp()
        #expect(WorkerEnded(status: worker.waitForExit()).exitStatus == 70)
    }

    @Test func `ends with status 0 after close`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try worker.send { _ in .close }
        #expect(worker.waitForExit() == 0)
    }

    private static let invalidMessages = [
        Data([255, 255, 255, 255, 0]), Data([0, 0, 0, 2, 0x7B, 0x7B]), Data([0, 0, 0, 0]),
        Data([0, 0, 0, 12]) + Data(#"{"fly":true}"#.utf8),
    ]

    @Test(arguments: Tier.rows(invalidMessages, gate: [invalidMessages[0], invalidMessages[3]]))
    func `ends after an invalid message`(bytes: Data) throws {
        let worker = try WorkerProcess()
        try worker.write(bytes)
        #expect(WorkerEnded(status: worker.waitForExit()).exitStatus == 76)
    }

    @Test func `waits for the rest of an incomplete message`() throws {
        let worker = try WorkerProcess()
        let frame = try WorkerMessage.encode(WorkerCommand.list(id: 5))
        try worker.write(frame.prefix(7))
        _ = try worker.wait { if case .heartbeat = $0 { true } else { nil } }
        try worker.write(frame.dropFirst(7))
        #expect(failure(try worker.reply(to: 5))?.kind == .disconnected)
    }

    @Test func `reports a missing camera as disconnected and accepts another open`() throws {
        let worker = try WorkerProcess()
        let missing = OpenRequest(port: "ptpip:127.0.0.1:1")
        #expect(failure(try worker.request { .open(id: $0, missing) })?.kind == .disconnected)
        let camera = try SimulatedCamera()
        _ = try worker.open(camera)
    }

    // MARK: Failures of the camera

    /// The driver requests a session three times. The simulated camera serves one client at a time.
    @Test func `opens a camera again in the same worker after a refused session`() throws {
        let camera = try SimulatedCamera(["--fault", "general-error:3@op 0x1002"])
        let worker = try WorkerProcess()
        let request = OpenRequest(port: camera.port)
        #expect(failure(try worker.request { .open(id: $0, request) })?.kind == .refused)
        _ = try worker.open(camera)
    }

    @Test func `reports a busy camera and a camera without a response to the greeting`() throws {
        let busy = try ScriptedListener { connection in
            _ = Loopback.read(connection)
            _ = Loopback.write([12, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0], to: connection)
            Loopback.waitForEnd(connection)
        }
        let silent = try ScriptedListener { Loopback.waitForEnd($0) }
        let worker = try WorkerProcess()
        for (listener, words) in [(busy, "(Init_Fail 2)"), (silent, "no response to Init_Command_Request")] {
            let request = OpenRequest(port: "ptpip:\(listener.host):\(listener.port)")
            let text = failure(try worker.request { .open(id: $0, request) })?.text
            #expect(text?.contains(words) == true, "\(text ?? "")")
        }
    }

    private static let breaks: [(String, String)] = ["drop@shot 1", "reset@shot 1", "garbage@shot 1"]
        .flatMap { fault in ["generic", "canon", "nikon"].map { (fault, $0) } }

    @Test(arguments: Tier.rows(breaks, gate: [breaks[1], breaks[5], breaks[6]]))
    func `a link lost during a transfer ends the connection but not the worker`(fault: String, maker: String)
        throws
    {
        let camera = try SimulatedCamera(maker: maker, ["--size", "5MB", "--fault", fault])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        _ = try worker.request { .trigger(id: $0) }
        let object = try worker.nextObject()
        let (reply, part) = try worker.fetch(object)
        #expect(failure(reply)?.kind == .disconnected)
        #expect(!FileManager.default.fileExists(atPath: part))
        #expect(try lost(worker).kind == .disconnected)
        _ = try worker.open(camera)
        let again = try worker.fetch(object)
        guard case .fetched = again.reply else {
            Issue.record("the photo was not fetched in the new connection: \(again.reply)")
            return
        }
    }

    @Test func `heartbeats continue while an unresponsive camera times out`() throws {
        let camera = try SimulatedCamera(["--size", "5MB", "--existing", "1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let object = try #require(try worker.list().first)
        camera.freeze()
        let fetch = try worker.sendFetch(object)
        let heartbeat = try worker.wait { event -> WorkerHeartbeat? in
            guard case .heartbeat(let heartbeat) = event, heartbeat.call != nil else { return nil }
            return heartbeat.silentMs ?? heartbeat.runningMs > 500 ? heartbeat : nil
        }
        #expect(heartbeat.call == "read file")
        #expect(failure(try worker.reply(to: fetch.id))?.kind == .timeout)
        #expect(try lost(worker).kind == .timeout)
        kill(camera.pid, SIGCONT)
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `a closed event channel ends the connection immediately`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--fault", "event-close@shot 1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        camera.press()
        #expect(try lost(worker).kind == .disconnected)
    }

    @Test(
        arguments: Tier.rows(
            ["event-short@shot 1", "event-zero-length@shot 1", "ghost-event@shot 1"],
            gate: ["event-short@shot 1", "ghost-event@shot 1"]))
    func `reports a changed list after an invalid event`(fault: String) throws {
        let camera = try SimulatedCamera(["--fault", fault])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        camera.press()
        _ = try worker.wait { if case .listChanged = $0 { true } else { nil } }
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `reads all bytes of a photo whose announced size is too small`(maker: String) throws {
        let camera = try SimulatedCamera(
            maker: maker, ["--size", "5MB", "--fault", "size-small:1000000@shot 1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        camera.press()
        let object = try worker.nextObject()
        let photo = try camera.truth(of: object.name)
        #expect(object.size == photo.size - 1_000_000)
        guard case .fetched(_, let short) = try worker.fetch(object).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(short.bytes == object.size, "[loss] wrong photo size")
        guard case .fetched(_, let whole) = try worker.fetch(object, asWhole: true).reply else {
            Issue.record("the photo was not fetched as a whole")
            return
        }
        #expect(whole.bytes == photo.size && whole.sha256 == photo.sha256, "[loss] wrong photo content")
        // The next photo is read in chunks again and announced.
        camera.press()
        let next = try worker.nextObject()
        guard case .fetched(_, let result) = try worker.fetch(next).reply else {
            Issue.record("the next photo was not fetched")
            return
        }
        #expect(try result.sha256 == camera.truth(of: next.name).sha256, "[loss] wrong photo content")
    }

    @Test(
        arguments: ["zero-read@shot 1", "size-big@shot 1", "empty@shot 1"],
        Tier.rows(["generic", "canon"], gate: ["canon"]))
    func `reports the received bytes regardless of the announced size`(fault: String, maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--size", "5MB", "--fault", fault])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        _ = try worker.request { .trigger(id: $0) }
        let object = try worker.nextObject()
        let (reply, part) = try worker.fetch(object)
        guard case .fetched(_, let result) = reply else {
            Issue.record("the photo was not fetched: \(reply)")
            return
        }
        let size = try FileManager.default.attributesOfItem(atPath: part)[.size] as? UInt64
        #expect(result.bytes == size, "[loss] wrong size of the part file")
        #expect(result.bytes < object.size || object.size == 0, "the daemon detects the incomplete photo")
    }

    @Test func `ends the connection if a photo exceeds its announced size`() throws {
        let camera = try SimulatedCamera(["--size", "5MB", "--fault", "extra-data:200000@shot 1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        _ = try worker.request { .trigger(id: $0) }
        let (reply, part) = try worker.fetch(try worker.nextObject())
        #expect(failure(reply)?.kind == .disconnected)
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    // MARK: Objects that crash the driver

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["nikon"]))
    func `the trace names the object that crashed the worker`(maker: String) throws {
        let longName = String(repeating: "A", count: 126) + ".JPG"
        let camera = try SimulatedCamera(maker: maker, ["--existing", "2"], names: [longName, "FINE.JPG"])
        let first = try WorkerProcess()
        _ = try first.open(camera)
        _ = try first.list()
        camera.press()
        let ended = try #require(throws: WorkerEnded.self) {
            _ = try first.nextObject()
        }
        #expect(ended.signal == SIGABRT)
        let handle = try #require(first.trace?.objectHandle)
        #expect(handle == (try camera.truth(of: longName).handle))

        let second = try WorkerProcess()
        _ = try second.open(camera, quarantined: [handle])
        let listed = try second.list()
        #expect(listed.count == 2)
        #expect(try second.request { .reconcile(id: $0) } == .reconciled(id: 3, missing: 0, total: 5))
        camera.press()
        #expect(try second.nextObject().name == "FINE.JPG")
        for object in try second.list() {
            guard case .fetched = try second.fetch(object).reply else {
                Issue.record("\(object.name) was not fetched")
                return
            }
        }
    }

    // MARK: Failures of the host

    @Test func `leaves an existing part file unchanged`() throws {
        let camera = try SimulatedCamera(["--existing", "1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let object = try #require(try worker.list().first)
        let part = worker.scratch.file("taken")
        try "mine".write(toFile: part, atomically: false, encoding: .utf8)
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size, partPath: part)
        #expect(failure(try worker.request { .fetch(id: $0, request) })?.kind == .hostIO)
        #expect(try String(contentsOfFile: part, encoding: .utf8) == "mine")
    }

    @Test func `does not follow a symbolic link at the part file's path`() throws {
        let camera = try SimulatedCamera(["--existing", "1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let object = try #require(try worker.list().first)
        let part = worker.scratch.file("link")
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/dev/full")
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size, partPath: part)
        #expect(failure(try worker.request { .fetch(id: $0, request) })?.kind == .hostIO)
    }
}
