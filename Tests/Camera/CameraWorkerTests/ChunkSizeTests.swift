import Foundation
import Testing

@testable import CameraWorker

@Suite struct ChunkSizeTests {
    private static let kib = 1_024
    private static let mib = 1_024 * 1_024

    struct Link: CustomTestStringConvertible {
        var name: String
        var bytesPerSecond: Double
        var roundTripMs: Double
        /// The final size, in KiB.
        var kib: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        Link(name: "one computer", bytesPerSecond: 1e9, roundTripMs: 0.1, kib: 8_192),
        Link(name: "a fast cable", bytesPerSecond: 200e6, roundTripMs: 1, kib: 8_192),
        Link(name: "a cable", bytesPerSecond: 40e6, roundTripMs: 1, kib: 2_048),
        Link(name: "good Wi-Fi", bytesPerSecond: 40e6, roundTripMs: 5, kib: 2_048),
        Link(name: "Wi-Fi", bytesPerSecond: 25e6, roundTripMs: 20, kib: 1_024),
        Link(name: "far Wi-Fi", bytesPerSecond: 25e6, roundTripMs: 200, kib: 1_024),
        Link(name: "weak Wi-Fi", bytesPerSecond: 6e6, roundTripMs: 10, kib: 512),
        Link(name: "a telephone line", bytesPerSecond: 0.5e6, roundTripMs: 80, kib: 256),
    ])
    func `adapts the chunk size to the link's speed and round trip`(link: Link) {
        var size = ChunkSize()
        for _ in 0..<20 {
            let transferMs = Double(size.bytes) / link.bytesPerSecond * 1_000
            size.update(
                came: size.bytes, roundTripMs: link.roundTripMs, totalMs: link.roundTripMs + transferMs)
        }
        #expect(size.bytes == link.kib * Self.kib)
        let transferMs = Double(size.bytes) / link.bytesPerSecond * 1_000
        if size.bytes > ChunkSize.least {
            #expect(transferMs <= max(ChunkSize.transferMsLeast, ChunkSize.turnMs - link.roundTripMs))
        }
    }

    @Test func `one measurement changes the size by one step`() {
        var size = ChunkSize()
        size.update(came: size.bytes, roundTripMs: 0, totalMs: 0.001)
        #expect(size.bytes == 2 * Self.mib)
        size.update(came: size.bytes, roundTripMs: 0, totalMs: 10_000)
        #expect(size.bytes == Self.mib)
    }

    @Test func `ignores the speed of the last short chunk`() {
        var size = ChunkSize()
        size.update(came: 10, roundTripMs: 5, totalMs: 500)
        #expect(size.bytes == Self.mib)
    }

    @Test func `never exceeds the camera's maximum chunk size`() {
        var size = ChunkSize(most: ChunkSize.eosMost)
        for _ in 0..<5 { size.update(came: size.bytes, roundTripMs: 0, totalMs: 1) }
        #expect(size.bytes == Self.mib)
        #expect(ChunkSize(most: 300_000).bytes == ChunkSize.least)
    }

    @Test func `falls back to the usual chunk size after a refusal, never below it`() {
        var size = ChunkSize()
        for _ in 0..<2 { size.update(came: size.bytes, roundTripMs: 0, totalMs: 1) }
        #expect(size.bytes == 4 * Self.mib)
        let retries = size.recordRefusal()
        #expect(retries && size.bytes == Self.mib)
        for _ in 0..<5 { size.update(came: size.bytes, roundTripMs: 0, totalMs: 1) }
        #expect(size.bytes == Self.mib)
        let retriesAgain = size.recordRefusal()
        #expect(!retriesAgain)
    }

    @Test(arguments: [(5_000_000, 4_194_304), (1_048_576, 1_048_576), (700_000, 524_288), (100, 262_144)])
    func `limits the chunk size to the camera's largest response`(most: Int, asked: Int) {
        var size = ChunkSize()
        for _ in 0..<5 { size.update(came: size.bytes, roundTripMs: 0, totalMs: 1) }
        size.limit(most)
        #expect(size.bytes == asked)
    }

    @Test func `the allocator keeps the memory of the largest chunk on the heap`() {
        #expect(Int(Confinement.mmapThreshold) > ChunkSize.most)
        // The driver frees its copy of the chunk and a packet of up to the same size.
        #expect(Int(Confinement.trimThreshold) > 2 * ChunkSize.most + Int(Confinement.topPad))
    }

    // MARK: History

    @Test func `does not retry a chunk size that ended two connections`() throws {
        let home = try ScratchDirectory()
        var most: [Int] = []
        for _ in 0..<4 {
            var history = ChunkSizeHistory(camera: "A", home: home.path)
            most.append(history.most)
            history.beginChunk(Self.mib)
            history.endChunk(Self.mib, isGood: true)
            if history.most > Self.mib { history.beginChunk(2 * Self.mib) }
        }
        #expect(most == [8, 8, 1, 1].map { $0 * Self.mib })
        #expect(ChunkSizeHistory(camera: "B", home: home.path).most == 8 * Self.mib)
    }

    @Test func `accepts a chunk size that works after an earlier failure`() throws {
        let home = try ScratchDirectory()
        for isGood in [false, true, false] {
            var history = ChunkSizeHistory(camera: "A", home: home.path)
            history.beginChunk(4 * Self.mib)
            if isGood { history.endChunk(4 * Self.mib, isGood: true) }
        }
        var history = ChunkSizeHistory(camera: "A", home: home.path)
        #expect(history.most == 8 * Self.mib)
        for _ in 0..<2 {
            history = ChunkSizeHistory(camera: "A", home: home.path)
            history.beginChunk(8 * Self.mib)
        }
        #expect(ChunkSizeHistory(camera: "A", home: home.path).most == 4 * Self.mib)
    }

    /// Saves two lost connections at 2 MiB, which limit the camera to 1 MiB.
    private static func limit(_ camera: String, _ home: ScratchDirectory) {
        var history = ChunkSizeHistory(camera: camera, home: home.path)
        for _ in 0..<2 { history.beginChunk(2 * mib) }
    }

    @Test func `a full history forgets only the camera with the oldest entry`() throws {
        let home = try ScratchDirectory()
        for number in 1...64 { Self.limit("\(number)", home) }
        Self.limit("1", home)
        Self.limit("65", home)
        let limited = (1...65).filter {
            ChunkSizeHistory(camera: "\($0)", home: home.path).most == Self.mib
        }
        #expect(limited == [1] + Array(3...65))
    }

    @Test func `a full history first forgets entries of an earlier version`() throws {
        let home = try ScratchDirectory()
        let entry = #"{"good":1048576,"tried":2097152,"times":2}"#
        try Data(#"{"A":\#(entry),"B":\#(entry)}"#.utf8).write(
            to: URL(filePath: home.path + "/pieces.json"))
        for number in 1...63 { Self.limit("\(number)", home) }
        let limited = ["A", "B", "1"].filter {
            ChunkSizeHistory(camera: $0, home: home.path).most == Self.mib
        }
        #expect(limited == ["B", "1"])
    }
}
