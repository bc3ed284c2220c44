import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of a worker's memory use. Except with a Sony, a worker processes a photo in chunks and never holds a
/// whole photo in memory. With a Sony, the driver and the worker hold a few copies of a photo.
@Suite(.serialized, .programs(2), .nightly("measures memory")) struct MemoryTests {
    /// The size of a large RAW, in bytes.
    private static let photoBytes: UInt64 = 60_000_000
    /// The maximum memory growth of a worker during a transfer, in bytes. The maximum covers the buffers but
    /// not a photo.
    private static let growthMax: UInt64 = 30 << 20
    /// The maximum memory growth of an idle worker compared with its memory before the first photo, in bytes.
    /// The maximum covers the heap that the allocator keeps.
    private static let keptMax: UInt64 = 10 << 20
    /// The maximum number of copies of a Sony's photo. The driver has a copy during the transfer, and the
    /// worker has a copy until the daemon has fetched the photo. A growing copy needs extra space.
    private static let copiesMax: UInt64 = 3

    @Test(arguments: ["generic", "canon", "nikon"], [false, true])
    func `fetching RAWs of 60 MB does not grow the worker's memory`(maker: String, asWhole: Bool) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "3", "--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        let idle = try worker.peakBytes
        for object in objects {
            let (reply, part) = try worker.fetch(object, asWhole: asWhole)
            defer { unlink(part) }
            guard case .fetched(_, let result) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(result.bytes == Self.photoBytes, "[loss] wrong photo size")
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
        }
        let growth = try worker.peakBytes - idle
        print("MemoryTests: \(maker), \(asWhole ? "whole" : "chunks"): \(idle >> 20) + \(growth >> 20) MiB")
        #expect(growth <= Self.growthMax)
    }

    /// The kernel clears each new page, which costs processor time. The worker does not become idle between
    /// queued photos, and therefore releases no memory.
    @Test func `the chunks of queued photos reuse the same memory`() throws {
        let camera = try SimulatedCamera(["--existing", "3", "--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        let before = try worker.pageFaults
        let fetches = try objects.map { try worker.sendFetch($0) }
        for fetch in fetches {
            let reply = try worker.reply(to: fetch.id)
            unlink(fetch.part)
            guard case .fetched(_, let result) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(result.bytes == Self.photoBytes, "[loss] wrong photo size")
        }
        let faults = try worker.pageFaults - before
        let pages = objects.count * Int(Self.photoBytes) / Int(sysconf(Int32(_SC_PAGESIZE)))
        print("MemoryTests: \(faults) page faults for \(pages) pages of photos")
        #expect(faults < pages / 2)
    }

    @Test func `holds at most three copies of a Sony's photo in memory`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let idle = try worker.peakBytes
        for _ in 0..<4 {
            camera.press()
            let object = try worker.nextObject()
            let (reply, part) = try worker.fetch(object)
            defer { unlink(part) }
            guard case .fetched(_, let result) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
            _ = try worker.request { .delete(id: $0, object) }
        }
        let growth = try worker.peakBytes - idle
        print("MemoryTests: sony: \(idle >> 20) + \(growth >> 20) MiB")
        #expect(growth <= Self.copiesMax * Self.photoBytes)
    }

    /// The worker must release the memory without an event of the camera, because a camera that is not polled
    /// never wakes the worker. With a Sony, the photo store has an additional buffer.
    @Test(arguments: ["generic", "sony"])
    func `releases a photo's memory when no other photo follows`(maker: String) async throws {
        let camera = try SimulatedCamera(maker: maker, ["--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let idle = try worker.residentBytes
        camera.press()
        let object = try worker.nextObject()
        let (_, part) = try worker.fetch(object)
        defer { unlink(part) }
        _ = try worker.request { .delete(id: $0, object) }
        #expect(try worker.residentBytes > idle + Self.keptMax, "the buffer for the next photo")
        try await eventually("the worker's memory to shrink") {
            try worker.residentBytes <= idle + Self.keptMax ? () : nil
        }
    }
}
