import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of the choice of the reading method, and of objects of 4 GiB or more. The worker transfers such an
/// object completely or reports a failure.
@Suite(.serialized, .programs(2)) struct LargeObjectTests {
    typealias LargeReadSupport = ReadingPlan.LargeReadSupport

    private static let gib: UInt64 = 1 << 30
    private static let unknown = ReadingPlan.unknownSize

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var announced: UInt64
        var asWhole = false
        var isNetwork: Bool
        var largeReads = LargeReadSupport.none
        var isGuarded = true
        var isFujifilm = false
        var plan: ReadingPlan
    }

    static let rows = [
        Row(
            testDescription: "a small photo", announced: 1 << 20, isNetwork: true,
            plan: .whole(hidingPartialTransfers: nil)),
        Row(testDescription: "a photo", announced: 60 << 20, isNetwork: true, plan: .chunks),
        Row(testDescription: "a photo over USB", announced: 60 << 20, isNetwork: false, plan: .chunks),
        Row(
            testDescription: "a photo that was announced too small", announced: 60 << 20, asWhole: true,
            isNetwork: true, plan: .whole(hidingPartialTransfers: true)),
        Row(
            testDescription: "the largest known size", announced: unknown - 1, isNetwork: true,
            plan: .chunks),
        Row(
            testDescription: "0xFFFFFFFF on the network", announced: unknown, isNetwork: true,
            plan: .impossible),
        Row(
            testDescription: "0xFFFFFFFF on the network, MTP", announced: unknown, isNetwork: true,
            largeReads: .chunks,
            plan: .impossible),
        Row(
            testDescription: "0xFFFFFFFF over USB", announced: unknown, isNetwork: false,
            plan: .whole(hidingPartialTransfers: true)),
        Row(
            testDescription: "0xFFFFFFFF over USB, Nikon", announced: unknown, isNetwork: false,
            largeReads: .wholeInChunks, plan: .whole(hidingPartialTransfers: true)),
        Row(testDescription: "5 GiB on the network", announced: 5 * gib, isNetwork: true, plan: .impossible),
        Row(
            testDescription: "5 GiB on the network, MTP", announced: 5 * gib, isNetwork: true,
            largeReads: .chunks, plan: .chunks),
        Row(
            testDescription: "5 GiB on the network, Nikon", announced: 5 * gib, isNetwork: true,
            largeReads: .wholeInChunks, plan: .whole(hidingPartialTransfers: false)),
        Row(
            testDescription: "5 GiB over USB, EOS, without partial transfers", announced: 5 * gib,
            isNetwork: false, plan: .whole(hidingPartialTransfers: true)),
        Row(
            testDescription: "5 GiB over USB, MTP", announced: 5 * gib, isNetwork: false, largeReads: .chunks,
            plan: .chunks),
        Row(
            testDescription: "5 GiB over USB, MTP, a second time", announced: 5 * gib, asWhole: true,
            isNetwork: false, largeReads: .chunks, plan: .whole(hidingPartialTransfers: true)),
        Row(
            testDescription: "5 GiB on the network, MTP, a second time", announced: 5 * gib, asWhole: true,
            isNetwork: true, largeReads: .chunks, plan: .chunks),
        Row(testDescription: "2^63", announced: 1 << 63, isNetwork: true, plan: .impossible),
        Row(
            testDescription: "a photo without packets", announced: 60 << 20, isNetwork: true,
            isGuarded: false, plan: .whole(hidingPartialTransfers: nil)),
        Row(
            testDescription: "a photo over USB without packets, a second time", announced: 60 << 20,
            asWhole: true,
            isNetwork: false, isGuarded: false, plan: .whole(hidingPartialTransfers: nil)),
        Row(
            testDescription: "a photo of a Fujifilm", announced: 60 << 20, isNetwork: true,
            isFujifilm: true, plan: .whole(hidingPartialTransfers: nil)),
        Row(
            testDescription: "a photo of a Fujifilm over USB, a second time", announced: 60 << 20,
            asWhole: true, isNetwork: false, isFujifilm: true,
            plan: .whole(hidingPartialTransfers: nil)),
        Row(
            testDescription: "0xFFFFFFFF on the network, Fujifilm", announced: unknown, isNetwork: true,
            isFujifilm: true, plan: .impossible),
        Row(
            testDescription: "5 GiB over USB, Fujifilm", announced: 5 * gib, isNetwork: false,
            isFujifilm: true, plan: .whole(hidingPartialTransfers: nil)),
        Row(
            testDescription: "5 GiB over USB without packets", announced: 5 * gib, isNetwork: false,
            largeReads: .chunks, isGuarded: false, plan: .impossible),
    ]

    @Test(arguments: rows) func `chooses the reading method from size, link and driver`(row: Row) {
        let facts = ReadingPlan.Facts(
            announced: row.announced, asWhole: row.asWhole, isNetwork: row.isNetwork,
            largeReads: row.largeReads, isGuarded: row.isGuarded, isFujifilm: row.isFujifilm)
        #expect(ReadingPlan.choose(facts) == row.plan)
    }

    // MARK: with the real driver

    private func failure(_ reply: WorkerEvent) -> WorkerFailure? {
        if case .failed(_, let failure) = reply { failure } else { nil }
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `refuses objects beyond the driver's limit and fetches the next photo`(maker: String) throws {
        let camera = try SimulatedCamera(
            maker: maker, ["--existing", "2", "--size", "3MB", "--card-size", "64GB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        for size in [UInt64(UInt32.max), 5 * Self.gib, 1 << 63] {
            var large = try #require(objects.first)
            large.size = size
            let (reply, part) = try worker.fetch(large)
            #expect(failure(reply)?.kind == .tooLarge)
            #expect(!FileManager.default.fileExists(atPath: part))
        }
        let next = try #require(objects.last)
        guard case .fetched(_, let result) = try worker.fetch(next).reply else {
            Issue.record("the next photo was not fetched")
            return
        }
        #expect(try result.sha256 == camera.truth(of: next.name).sha256, "[loss] wrong photo content")
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["nikon"]))
    func `rejects an object whose length exceeds the driver's 32-bit counter`(maker: String) throws {
        // The lower 32 bits of the movie's length are 1 MiB. The worker must not report 1 MiB as the length.
        let movie = try SparseMovie(bytes: 4 * Self.gib + (1 << 20))
        let camera = try SimulatedCamera(maker: maker, ["--photos", movie.folder.url.path])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        #expect(try camera.send("shoot").hasPrefix("ok"))
        var object = try worker.nextObject()
        object.size = 1 << 20
        let (reply, part) = try worker.fetch(object, asWhole: true)
        #expect(failure(reply)?.kind == .tooLarge, "\(reply)")
        #expect(!FileManager.default.fileExists(atPath: part))
    }
}
