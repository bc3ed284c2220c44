import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests that the worker saves a photo from a camera's memory to the disk before it announces the photo. The
/// worker's copy is the only copy.
@Suite(
    .serialized, .programs(3),
    .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
struct PhotoStoreSyncTests {
    private let folder: ScratchFolder
    private let camera: SimulatedCamera
    private let worker: WorkerProcess

    init() throws {
        folder = try ScratchFolder()
        camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        worker = try WorkerProcess()
        #expect(try !worker.open(camera).canList)
    }

    @Test func `syncs a photo from the camera's memory before announcing it`() async throws {
        let strace = try await Strace(
            worker.pid, calls: "fsync,?rename,renameat,renameat2,write", in: folder)
        try camera.send("shoot")
        _ = try worker.nextObject()
        let home = URL(filePath: worker.scratch.path).lastPathComponent
        var calls: [String] = []
        // strace writes its lines after the calls, and splits a line if another thread makes a call.
        let order = try await eventually("rename, two fsyncs and the announcement in \(calls)") {
            calls = strace.calls.map(\.text)
            let steps = [
                calls.firstIndex { $0.hasPrefix("rename") && $0.contains("-1.photo\"") },
                calls.firstIndex { $0.hasPrefix("fsync(") && $0.contains("-1.photo>") },
                calls.firstIndex { $0.hasPrefix("fsync(") && $0.contains("/\(home)>") },
                calls.firstIndex { $0.contains("objectAdded") },
            ].compactMap(\.self)
            return steps.count == 4 ? steps : nil
        }
        #expect(order == order.sorted(), "\(calls)")
        try await strace.detach()
    }

    @Test func `requests the next photo only after the previous photo is synced`() async throws {
        let strace = try await Strace(
            worker.pid, calls: "fsync,write", injection: "delay_enter=50000", in: folder)
        try camera.send("burst 3 0")
        for _ in 0..<3 { _ = try worker.nextObject() }
        var steps: [String] = []
        // strace writes its lines after the calls.
        try await eventually("three requests and three announcements in \(steps)") {
            steps = strace.calls.map(\.text).filter {
                $0.hasPrefix("write(") && ($0.contains(Self.getObject) || $0.contains("objectAdded"))
            }
            return steps.count >= 6 ? () : nil
        }
        let leaves = steps.map { $0.contains(Self.getObject) }
        #expect(leaves == [true, false, true, false, true, false], "\(steps)")
        try await strace.detach()
    }

    /// A PTP/IP request for GetObject in strace's notation: packet type, data phase, operation code. If a
    /// digit follows the code, strace writes 020 instead of 20.
    private static var getObject: Regex<Substring> { /\\6\\0\\0\\0\\1\\0\\0\\0\\t\\0?20/ }

    private static func waiting(_ event: WorkerEvent) -> Int? {
        if case .facts(let facts) = event { facts.bufferedObjects } else { nil }
    }

    @Test func `counts a photo that cannot be synced as waiting`() async throws {
        let strace = try await Strace(
            worker.pid, calls: "fsync", injection: "error=EIO", in: folder)
        try camera.send("shoot")
        let object = try worker.nextObject()
        guard case .fetched(_, let result) = try worker.fetch(object).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        while worker.events.compactMap(Self.waiting).last != 1 { _ = try worker.next() }
        #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
        try await strace.detach()
    }
}
