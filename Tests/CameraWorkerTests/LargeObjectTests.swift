import Crypto
import Foundation
import FrameFastModel
import Glibc
import Testing
import WorkerProtocol

@testable import framefast_camera

/// Objects of 4 GiB and more, by every way that the driver has: byte by byte, or not at all and told.
@Suite(.serialized) struct LargeObjectTests {
    typealias Reach = ReadingPlan.Reach

    private static let gib: UInt64 = 1 << 30
    private static let unknown = ReadingPlan.unknownSize

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var announced: UInt64
        var asWhole = false
        var isNetwork: Bool
        var reach = Reach.none
        var plan: ReadingPlan
    }

    static let rows = [
        Row(
            testDescription: "a small photo", announced: 1 << 20, isNetwork: true,
            plan: .whole(hidingPieces: nil)),
        Row(testDescription: "a photo", announced: 60 << 20, isNetwork: true, plan: .pieces),
        Row(testDescription: "a photo over USB", announced: 60 << 20, isNetwork: false, plan: .pieces),
        Row(
            testDescription: "a photo that was announced too small", announced: 60 << 20, asWhole: true,
            isNetwork: true, plan: .whole(hidingPieces: true)),
        Row(
            testDescription: "the largest that is known", announced: unknown - 1, isNetwork: true,
            plan: .pieces),
        Row(
            testDescription: "0xFFFFFFFF on the network", announced: unknown, isNetwork: true,
            plan: .impossible),
        Row(
            testDescription: "0xFFFFFFFF on the network, wide", announced: unknown, isNetwork: true,
            reach: .pieces,
            plan: .impossible),
        Row(
            testDescription: "0xFFFFFFFF over USB", announced: unknown, isNetwork: false,
            plan: .whole(hidingPieces: true)),
        Row(
            testDescription: "0xFFFFFFFF over USB, Nikon", announced: unknown, isNetwork: false,
            reach: .wholeInPieces, plan: .whole(hidingPieces: true)),
        Row(testDescription: "5 GiB on the network", announced: 5 * gib, isNetwork: true, plan: .impossible),
        Row(
            testDescription: "5 GiB on the network, MTP", announced: 5 * gib, isNetwork: true, reach: .pieces,
            plan: .pieces),
        Row(
            testDescription: "5 GiB on the network, Nikon", announced: 5 * gib, isNetwork: true,
            reach: .wholeInPieces, plan: .whole(hidingPieces: false)),
        Row(
            testDescription: "5 GiB over USB: an EOS would send its first 4 GiB for ever", announced: 5 * gib,
            isNetwork: false, plan: .whole(hidingPieces: true)),
        Row(
            testDescription: "5 GiB over USB, MTP", announced: 5 * gib, isNetwork: false, reach: .pieces,
            plan: .pieces),
        Row(
            testDescription: "5 GiB over USB, MTP, a second time", announced: 5 * gib, asWhole: true,
            isNetwork: false, reach: .pieces, plan: .whole(hidingPieces: true)),
        Row(
            testDescription: "5 GiB on the network, MTP, a second time", announced: 5 * gib, asWhole: true,
            isNetwork: true, reach: .pieces, plan: .pieces),
        Row(testDescription: "2^63", announced: 1 << 63, isNetwork: true, plan: .impossible),
    ]

    @Test(arguments: rows) func `how an object is read follows from its size, the link and the driver`(
        row: Row
    ) {
        let facts = ReadingPlan.Facts(
            announced: row.announced, asWhole: row.asWhole, isNetwork: row.isNetwork, reach: row.reach)
        #expect(ReadingPlan.of(facts) == row.plan)
    }

    // MARK: with the real driver

    /// A movie that takes no room: holes, with a mark of its own at each MiB, in one box that ends with the file.
    private final class Movie {
        let folder: ScratchDirectory
        let bytes: UInt64

        init(bytes: UInt64, name: String) throws {
            folder = try ScratchDirectory()
            self.bytes = bytes
            let file = open(folder.file(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard file >= 0, ftruncate(file, off_t(bytes)) == 0 else {
                throw CameraTrouble(words: "cannot make a file of \(bytes) bytes")
            }
            defer { close(file) }
            func put(_ value: UInt64, at offset: UInt64) {
                withUnsafeBytes(of: value.bigEndian) { _ = pwrite(file, $0.baseAddress, 8, off_t(offset)) }
            }
            for offset in stride(from: UInt64(1 << 20), to: bytes - 8, by: 1 << 20) {
                put(offset, at: offset)
            }
            let head: [UInt8] =
                [0, 0, 0, 16] + Array("ftypqt  ".utf8) + [0, 0, 0, 0] + [0, 0, 0, 1] + Array("mdat".utf8)
            _ = pwrite(file, head, head.count, 0)
            put(bytes - 16, at: UInt64(head.count))
        }

        var sha256: String {
            get throws { try Movie.sha256(folder.path + "/" + (try #require(try names().first))) }
        }

        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }

        static func sha256(_ path: String) throws -> String {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            var hash = SHA256()
            while let piece = try file.read(upToCount: 4 << 20), !piece.isEmpty { hash.update(data: piece) }
            return hash.finalize().map { String(format: "%02x", $0) }.joined()
        }
    }

    private func failure(_ answer: WorkerEvent) -> WorkerFailure? {
        if case .failed(_, let failure) = answer { failure } else { nil }
    }

    @Test(arguments: ["generic", "canon", "nikon"])
    func `what the driver cannot bring over the network is refused at once, and the next photo comes`(
        maker: String
    ) throws {
        let camera = try SimulatedCamera(
            maker: maker, ["--existing", "2", "--size", "3MB", "--card-size", "64GB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        for size in [UInt64(UInt32.max), 5 * Self.gib, 1 << 63] {
            var large = try #require(objects.first)
            large.size = size
            let (answer, part) = try worker.fetch(large)
            #expect(failure(answer)?.kind == .tooLarge)
            #expect(!FileManager.default.fileExists(atPath: part))
        }
        let next = try #require(objects.last)
        guard case .fetched(_, let result) = try worker.fetch(next).answer else {
            Issue.record("the next photo is not let in")
            return
        }
        #expect(try result.sha256 == camera.truth(of: next.name).sha256)
    }

    @Test(arguments: ["generic", "canon"])
    func `an object that turns out to have more than the driver can count is no file`(maker: String) throws {
        // The lower half of its length is 1 MiB: that much would be taken for all of it.
        let movie = try Movie(bytes: 4 * Self.gib + (1 << 20), name: "MVI_1.MOV")
        let camera = try SimulatedCamera(maker: maker, ["--photos", movie.folder.path])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        #expect(try camera.say("shoot").hasPrefix("ok"))
        var object = try worker.nextObject()
        object.size = 1 << 20
        let (answer, part) = try worker.fetch(object, asWhole: true)
        #expect(failure(answer)?.kind == .tooLarge, "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    /// Takes 5 GiB of disk and a minute.
    private static let isFull = ProcessInfo.processInfo.environment["FRAMEFAST_LARGE_MOVIE"] != nil
    /// What a worker may grow by while it reads, in bytes.
    private static let growthMax: UInt64 = 30 << 20

    @Test(
        .enabled(if: isFull, "takes 5 GiB of disk: FRAMEFAST_LARGE_MOVIE=1"))
    func `a Nikon's movie of 5 GiB comes byte by byte, and the worker stays small`() throws {
        let movie = try Movie(bytes: 5 * Self.gib + 12_345, name: "MVI_1.MOV")
        let camera = try SimulatedCamera(
            maker: "nikon", ["--wide", "--photos", movie.folder.path, "--card-size", "64GB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        let idle = try worker.peakBytes
        #expect(try camera.say("shoot").hasPrefix("ok"))
        let object = try worker.nextObject()
        #expect(object.size == movie.bytes)
        let began = ContinuousClock.now
        let (id, part) = try worker.sendFetch(object)
        let answer = try worker.wait(timeoutMs: 600_000) { event -> WorkerEvent? in
            switch event {
            case .fetched(id, _), .failed(id, _): event
            default: nil
            }
        }
        defer { try? FileManager.default.removeItem(atPath: part) }
        guard case .fetched(_, let result) = answer else {
            Issue.record("\(answer)")
            return
        }
        let largest = try worker.peakBytes
        let seconds = began.duration(to: .now) / .seconds(1)
        print(
            "LargeObjectTests: \(result.bytes) bytes in \(seconds) s, \(idle >> 20) → \(largest >> 20) MiB"
        )
        #expect(result.bytes == movie.bytes)
        let truth = try movie.sha256
        #expect(result.sha256 == truth)
        #expect(try Movie.sha256(part) == truth)
        #expect(largest - idle <= Self.growthMax)
    }
}
