import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras

@Suite(.blocking) struct WorkerLinkTests {
    @Test func `an ended link does not use a reused descriptor number`() async throws {
        var isMet = false
        for _ in 0..<100 where !isMet {
            let (ours, theirs) = try SocketPair.make()
            let link = WorkerLink(socket: ours, name: "test")
            try theirs.close()
            await link.waitUntilEnded()
            // Other tests may open descriptors at the same time and get this number.
            let (end, peer) = try SocketPair.make()
            let placed = fcntl(end.rawValue, F_DUPFD_CLOEXEC, ours.rawValue)
            defer { for number in [placed, end.rawValue, peer.rawValue] { close(number) } }
            isMet = placed == ours.rawValue || end == ours
            guard isMet else { continue }
            #expect(throws: WorkerFailure.self) { try link.send(.close) }
            link.disconnect(WorkerLink.disconnection("again"))
            var byte: UInt8 = 0
            let count = recv(peer.rawValue, &byte, 1, Int32(MSG_DONTWAIT))
            #expect(count == -1 && errno == EAGAIN, "the unrelated socket received \(count)")
        }
        #expect(isMet)
    }

    @Test func `every open request fails when the worker exits`() async throws {
        let (ours, theirs) = try SocketPair.make()
        let link = WorkerLink(socket: ours, name: "test")
        let answers = Task {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { () async -> Bool in
                        do throws(WorkerFailure) {
                            _ = try await link.request { .trigger(id: $0) }
                            return false
                        } catch { return error.kind == .disconnected }
                    }
                }
                return await group.allSatisfy { $0 }
            }
        }
        try theirs.close()
        #expect(await answers.value)
        // Requests fail as soon as the link can't send data. The reading thread may detect the end of the
        // link later.
        await link.waitUntilEnded()
        #expect(!link.isAlive)
    }

    /// Returns a link and the other end of its socket, through which the test acts as a worker.
    private func link() throws -> (WorkerLink, FileDescriptor) {
        let (ours, theirs) = try SocketPair.make()
        return (WorkerLink(socket: ours, name: "test"), theirs)
    }

    private static let iso = CameraSetting(
        key: .iso, name: "iso", value: CameraSettingValue("800", for: .iso), word: "800", writable: .yes)

    @Test(arguments: [
        WorkerEvent.settings(id: 1, [iso]),
        .settingResults(
            id: 1, [CameraSettingResult(CameraSettingChange(name: "iso", value: "800"), .set, now: iso)]),
        .done(id: 1),
    ])
    func `publishes new settings once in the status before returning the reply`(reply: WorkerEvent)
        async throws
    {
        let (link, worker) = try link()
        let reports = Mutex<[CameraStatus]>([])
        let registry = CameraRegistry { status in reports.withLock { $0.append(status) } }
        registry.insert(CameraStatus(id: "a", name: "a", port: "p", state: .ready))
        link.setStatusHandler { [registry] in registry.apply($0, to: "a") }
        let answered = Task { _ = try await link.request { .readSettings(id: $0, names: ["iso"]) } }
        // The link expects the reply as soon as it has sent the command.
        var command = [UInt8](repeating: 0, count: 1_024)
        let count = try command.withUnsafeMutableBytes { try worker.read(into: $0) }
        #expect(count > 0)
        let change = WorkerEvent.settingsChanged([Self.iso], source: .request)
        try worker.writeAll(WorkerMessage.encode(change) + WorkerMessage.encode(reply))
        try await answered.value
        #expect(registry.camera("a")?.settings[.iso] == Self.iso)
        #expect(reports.withLock { $0.count { $0.settings[.iso] == Self.iso } } == 1)
        #expect(link.notices.bytes == 0)
        try worker.close()
        await link.waitUntilEnded()
    }

    @Test(arguments: [
        WorkerEvent.facts(CameraFacts(clockDriftSeconds: .min)),
        .objectAdded(CameraObject(folder: "/", name: "a", size: 1, cameraTime: .min)),
    ])
    func `disconnects a worker whose values exceed the protocol limits`(event: WorkerEvent)
        async throws
    {
        let (link, worker) = try link()
        try worker.writeAll(WorkerMessage.encode(WorkerEvent.listChanged(reason: "honest")))
        try worker.writeAll(WorkerMessage.encode(event))
        #expect(await link.notices.next()?.notice == .listChanged(reason: "honest"))
        #expect(await link.notices.next() == nil)
        await link.waitUntilEnded()
        #expect(link.breach?.contains("more data than allowed") == true)
        #expect(!link.isAlive)
        try worker.close()
    }

    @Test func `detects an unresponsive worker after the read timeout`() async throws {
        let (ours, theirs) = try SocketPair.make()
        let clock = ManualSuspendingClock()
        let watch = WorkerWatchdog(clock: clock.hostClock)
        let (ended, end) = AsyncStream<Void>.makeStream()
        watch.guardWorker { end.finish() }
        let link = WorkerLink(socket: ours, name: "test", watch: watch, readTimeoutMs: 5)
        try theirs.writeAll(WorkerMessage.encode(WorkerEvent.listChanged(reason: "hello")))
        #expect(await link.notices.next() != nil)
        #expect(watch.hungCall == nil)
        clock.advance(byMs: HangDetection.messageTimeoutMs + 1)
        for await _ in ended {}
        #expect(watch.hungCall == "no heartbeat")
        // A missing message does not end the link. The link ends when the worker exits.
        #expect(link.isAlive)
        try theirs.close()
        await link.waitUntilEnded()
    }

    @Test func `an incomplete message is not treated as activity`() async throws {
        let (ours, theirs) = try SocketPair.make()
        let clock = ManualSuspendingClock()
        let watch = WorkerWatchdog(clock: clock.hostClock)
        let (ended, end) = AsyncStream<Void>.makeStream()
        watch.guardWorker { end.finish() }
        // The read timeout is too long to matter. The reading thread wakes only when bytes arrive.
        let link = WorkerLink(socket: ours, name: "test", watch: watch, readTimeoutMs: 3_600_000)
        let frame = try WorkerMessage.encode(WorkerEvent.listChanged(reason: "hello"))
        try theirs.writeAll(frame)
        #expect(await link.notices.next() != nil)
        clock.advance(byMs: HangDetection.messageTimeoutMs + 1)
        try theirs.writeAll(frame.prefix(2))
        for await _ in ended {}
        #expect(watch.hungCall == "no heartbeat")
        try theirs.close()
        await link.waitUntilEnded()
    }

    @Test func `a worker that exits normally does not violate the protocol`() async throws {
        let (link, worker) = try link()
        try worker.writeAll(WorkerMessage.encode(WorkerEvent.facts(CameraFacts(batteryPercent: 50))))
        try worker.close()
        await link.waitUntilEnded()
        #expect(link.breach == nil)
    }

    @Test func `keeps the newest unread notices within the memory limit`() async throws {
        let (link, worker) = try link()
        let facts = CameraFacts(
            storages: [CameraStorage](
                repeating: CameraStorage(folder: "/s", label: String(repeating: "x", count: 1_024)), count: 32
            ))
        let frame = try WorkerMessage.encode(WorkerEvent.facts(facts))
        for _ in 0..<(3 * WorkerLink.noticeBytesMax / frame.count) { try worker.writeAll(frame) }
        try worker.writeAll(WorkerMessage.encode(WorkerEvent.listChanged(reason: "last")))
        try worker.close()
        await link.waitUntilEnded()
        #expect((1...WorkerLink.noticeBytesMax).contains(link.notices.bytes))
        var last: WorkerEvent?
        while let notice = await link.notices.next() { last = notice.notice }
        #expect(last == .listChanged(reason: "last"))
    }

    @Test func `disconnects a worker that sends an endless listing`() async throws {
        let (link, worker) = try link()
        let list = link.list()
        let object = CameraObject(
            folder: String(repeating: "f", count: 4_000), name: "IMG_0001.JPG", size: 1, cameraTime: 1)
        let part = [CameraObject](repeating: object, count: WorkerLimits.objectsPerListing)
        let frame = try WorkerMessage.encode(WorkerEvent.listed(id: 1, part, isLast: false, total: nil))
        // The writes fail as soon as the link closes its end of the socket during the listing.
        while (try? worker.writeAll(frame)) != nil {}
        try worker.close()
        await link.waitUntilEnded()
        var bytes = 0
        await #expect(throws: WorkerFailure.self) {
            for try await portion in list { bytes += portion.objects.count * 4_000 }
        }
        #expect((1...WorkerLink.listedBytesMax).contains(bytes))
        #expect(link.breach?.contains("list without an end marker") == true)
    }

    @Test func `delivers a complete listing in portions`() async throws {
        let (link, worker) = try link()
        let list = link.list()
        let objects = (0..<1_200).map { CameraObject(folder: "/", name: "\($0)", size: 1, cameraTime: nil) }
        for start in stride(from: 0, to: objects.count, by: 500) {
            let part = Array(objects[start..<min(start + 500, objects.count)])
            let isLast = start + 500 >= objects.count
            try worker.writeAll(
                WorkerMessage.encode(WorkerEvent.listed(id: 1, part, isLast: isLast, total: 1_200)))
        }
        var listed: [CameraObject] = []
        for try await portion in list { listed += portion.objects }
        #expect(listed == objects)
        try worker.close()
        await link.waitUntilEnded()
    }
}

extension FileDescriptor {
    fileprivate func writeAll(_ frame: Data) throws {
        var rest = frame[...]
        while !rest.isEmpty {
            // A closed peer must not end the test process with SIGPIPE.
            let count = rest.withUnsafeBytes { send(rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Errno(rawValue: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
