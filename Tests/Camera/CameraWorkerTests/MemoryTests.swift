import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// A photo goes through a worker in pieces and is never held whole; where the driver holds one, it holds few.
@Suite(.serialized, .programs(2), .nightly("measures memory")) struct MemoryTests {
    /// A large RAW, in bytes.
    private static let photoBytes: UInt64 = 60_000_000
    /// What a worker may grow by while it reads: buffers, but not a photo.
    private static let growthMax: UInt64 = 30 << 20
    /// What a worker at rest may have more than before its first photo: heap that the allocator keeps.
    private static let keptMax: UInt64 = 10 << 20
    /// A Sony's photo lies in the driver while it comes, and in the worker until the daemon has it: two copies, and what
    /// one of them needs to grow in.
    private static let copiesMax: UInt64 = 3

    @Test(arguments: ["generic", "canon", "nikon"], [false, true])
    func `RAWs of 60 MB do not make a worker larger`(maker: String, asWhole: Bool) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "3", "--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        let idle = try worker.peakBytes
        for object in objects {
            let (answer, part) = try worker.fetch(object, asWhole: asWhole)
            defer { unlink(part) }
            guard case .fetched(_, let result) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(result.bytes == Self.photoBytes, "[loss] size of the photo")
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] content of the photo")
        }
        let growth = try worker.peakBytes - idle
        print("MemoryTests: \(maker), \(asWhole ? "whole" : "pieces"): \(idle >> 20) + \(growth >> 20) MiB")
        #expect(growth <= Self.growthMax)
    }

    @Test func `a Sony's RAWs in memory are held one at a time`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let idle = try worker.peakBytes
        for _ in 0..<4 {
            camera.press()
            let object = try worker.nextObject()
            let (answer, part) = try worker.fetch(object)
            defer { unlink(part) }
            guard case .fetched(_, let result) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] content of the photo")
            _ = try worker.ask { .delete(id: $0, object) }
        }
        let growth = try worker.peakBytes - idle
        print("MemoryTests: sony: \(idle >> 20) + \(growth >> 20) MiB")
        #expect(growth <= Self.copiesMax * Self.photoBytes)
    }

    /// A camera that speaks up wakes nobody, so the worker must wake itself for it; of a Sony also the shelf has memory.
    @Test(arguments: ["generic", "sony"])
    func `the memory of a photo is given back when no other follows`(maker: String) async throws {
        let camera = try SimulatedCamera(maker: maker, ["--raw-only", "--size", "60MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let idle = try worker.residentBytes
        camera.press()
        let object = try worker.nextObject()
        let (_, part) = try worker.fetch(object)
        defer { unlink(part) }
        _ = try worker.ask { .delete(id: $0, object) }
        #expect(try worker.residentBytes > idle + Self.keptMax, "what the next photo is quicker for")
        try await eventually("the worker to be small again") {
            try worker.residentBytes <= idle + Self.keptMax ? () : nil
        }
    }
}
