import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// A photo that came from a camera's memory is nowhere else: it is on the disk before anybody hears of it.
@Suite(
    .serialized, .blocking,
    .enabled(if: Strace.isPossible, "strace is missing or may not trace here (apt-get install strace)"))
struct ShelfTests {
    private let folder: ScratchFolder
    private let camera: SimulatedCamera
    private let worker: WorkerProcess

    init() throws {
        folder = try ScratchFolder()
        camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        worker = try WorkerProcess()
        #expect(try !worker.open(camera).canList)
    }

    @Test func `a photo from a camera's memory and its name are through to the disk before it is announced`()
        async throws
    {
        let strace = try await Strace(
            worker.pid, calls: "fsync,?rename,renameat,renameat2,write", in: folder)
        try camera.say("shoot")
        _ = try worker.nextObject()
        let calls = strace.calls.map(\.text)
        let home = URL(filePath: worker.scratch.path).lastPathComponent
        let rename = calls.firstIndex { $0.hasPrefix("rename") && $0.contains("-1.photo\"") }
        let bytes = calls.firstIndex { $0.hasPrefix("fsync(") && $0.contains("-1.photo>") }
        // Another thread's call may stand between its beginning and its end.
        let name = calls.firstIndex { $0.hasPrefix("fsync(") && $0.contains("/\(home)>") }
        let word = calls.firstIndex { $0.contains("objectAdded") }
        let all = [rename, bytes, name, word]
        let order = try #require(all.contains(nil) ? nil : all.compactMap(\.self), "\(all) \(calls)")
        #expect(order == order.sorted(), "\(calls)")
        try await strace.detach()
    }

    @Test func `a photo leaves the camera's memory only when the one before is through to the disk`()
        async throws
    {
        let strace = try await Strace(
            worker.pid, calls: "fsync,write", injection: "delay_enter=50000", in: folder)
        try camera.say("burst 3 0")
        for _ in 0..<3 { _ = try worker.nextObject() }
        let steps = strace.calls.map(\.text).filter {
            $0.hasPrefix("write(") && ($0.contains(Self.getObject) || $0.contains("objectAdded"))
        }
        let leaves = steps.map { $0.contains(Self.getObject) }
        #expect(leaves == [true, false, true, false, true, false], "\(steps)")
        try await strace.detach()
    }

    /// A request as PTP/IP carries it: its kind, no data to send, GetObject. A digit behind it makes strace write 020.
    private static var getObject: Regex<Substring> { /\\6\\0\\0\\0\\1\\0\\0\\0\\t\\0?20/ }

    private static func waiting(_ event: WorkerEvent) -> Int? {
        if case .facts(let facts) = event { facts.bufferedObjects } else { nil }
    }

    @Test func `a photo that does not get through to the disk counts as one that waits in the camera`()
        async throws
    {
        let strace = try await Strace(
            worker.pid, calls: "fsync", injection: "error=EIO", in: folder)
        try camera.say("shoot")
        let object = try worker.nextObject()
        guard case .fetched(_, let result) = try worker.fetch(object).answer else {
            Issue.record("not fetched")
            return
        }
        while worker.events.compactMap(Self.waiting).last != 1 { _ = try worker.next() }
        #expect(try result.sha256 == camera.truth(of: object.name).sha256)
        try await strace.detach()
    }
}
