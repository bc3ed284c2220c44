import Foundation
import FrameFastSystem
import Glibc
import PictureProtocol
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import Previews

@Suite(.blocking) struct PictureCacheTests {
    private let scratch: ScratchFolder
    private let time = VirtualClock()

    private var folder: String { scratch.path("previews") }

    init() throws { scratch = try ScratchFolder() }

    private func makeCache(bytesMax: UInt64 = PictureCache.usualBytesMax) throws -> PictureCache {
        let cache = PictureCache(folder: folder, bytesMax: bytesMax, clock: time.hostClock)
        try cache.prepare()
        return cache
    }

    private static func sha256(_ digit: Character) -> String { String(repeating: digit, count: 64) }

    private static func jpeg(_ count: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xDB] + [UInt8](repeating: 7, count: count - 4)
    }

    private func write(
        _ bytes: [UInt8], _ cache: PictureCache, _ task: PictureTask = .thumbnail, of sha256: String
    ) throws -> [UInt8]? {
        let part = try cache.makePart()
        try part.file.writeAll(bytes)
        return try cache.publish(part, bytes: bytes.count, as: task, of: sha256)?.readAll()
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("-") })
    }

    @Test func `stores a picture under the hash of its photo`() throws {
        let cache = try makeCache()
        let sha256 = Self.sha256("a")
        #expect(cache.read(.thumbnail, of: sha256) == nil)
        #expect(try write(Self.jpeg(100), cache, of: sha256) == Self.jpeg(100))
        #expect(cache.read(.thumbnail, of: sha256) == Self.jpeg(100))
        #expect(cache.read(.screen, of: sha256) == nil)
        #expect(try names() == ["aa/\(sha256)-512.jpg"])
    }

    @Test func `removes a file that is not a JPEG or does not have the reported size`() throws {
        let cache = try makeCache()
        let sha256 = Self.sha256("b")
        #expect(try write(Array("<html>".utf8) + Self.jpeg(100), cache, of: sha256) == nil)
        let part = try cache.makePart()
        try part.file.writeAll(Self.jpeg(100))
        #expect(try cache.publish(part, bytes: 99, as: .thumbnail, of: sha256)?.readAll() == nil)
        #expect(cache.read(.thumbnail, of: sha256) == nil)
        #expect(try names() == [])
    }

    @Test func `reads a full-size picture in parts, even after its file is deleted`() throws {
        let cache = try makeCache()
        let (sha256, jpeg) = (Self.sha256("a"), Self.jpeg(10_000))
        let part = try cache.makePart()
        try part.file.writeAll(jpeg)
        let made = try #require(try cache.publish(part, bytes: jpeg.count, as: .fullSize, of: sha256))
        let found = try #require(cache.find(.fullSize, of: sha256))
        let path = cache.path(.fullSize, of: sha256)
        try FileManager.default.removeItem(atPath: path)
        for content in [made, found] {
            guard case .file(let file) = content else {
                Issue.record("the cache returned the whole picture instead of a file")
                continue
            }
            #expect(file.size == 10_000)
            #expect(try file.read(at: 9_990, countMax: 100) == Array(jpeg.suffix(10)))
        }
        #expect(cache.read(.fullSize, of: sha256) == nil)
        let damagedFiles: [[UInt8]] = [[], Array(jpeg.prefix(20)), Array("<html>".utf8) + jpeg]
        for damaged in damagedFiles {
            try Data(damaged).write(to: URL(filePath: path))
            #expect(cache.read(.fullSize, of: sha256) == nil)
        }
    }

    @Test func `stores the facts of a picture`() throws {
        let cache = try makeCache()
        let facts = PictureResult(
            number: 1, status: .ready, width: 6_000, height: 4_000,
            meanColor: PictureColor(red: 1, green: 2, blue: 3), clippedHighlights: 12)
        try cache.store(facts, of: Self.sha256("c"))
        let bytes = try #require(cache.read(.facts, of: Self.sha256("c")))
        #expect(PictureResult(bytes: bytes) == facts)
    }

    @Test func `deletes the least recently used pictures above the size limit`() throws {
        let cache = try makeCache(bytesMax: 1_000)
        for (second, digit) in "abcd".enumerated() {
            time.advance(by: .seconds(1))
            _ = try write(Self.jpeg(250), cache, of: Self.sha256(digit))
            #expect(try names().count == second + 1)
        }
        time.advance(by: .seconds(1))
        #expect(cache.read(.thumbnail, of: Self.sha256("a")) != nil)
        time.advance(by: .seconds(1))
        _ = try write(Self.jpeg(250), cache, of: Self.sha256("e"))
        // 1,250 bytes are reduced to at most 900 bytes.
        #expect(cache.read(.thumbnail, of: Self.sha256("b")) == nil)
        #expect(cache.read(.thumbnail, of: Self.sha256("c")) == nil)
        for digit: Character in ["a", "d", "e"] {
            #expect(cache.read(.thumbnail, of: Self.sha256(digit)) != nil, "\(digit)")
        }
    }

    @Test func `does not grow while photos need the free space of the disk`() throws {
        let isShort = Mutex(false)
        let cache = PictureCache(
            folder: folder, reserveBytes: { isShort.withLock(\.self) ? .max : 0 }, clock: time.hostClock)
        try cache.prepare()
        for (digit, short) in [("a", false), ("b", false), ("c", true), ("d", false)] {
            time.advance(by: .seconds(1))
            isShort.withLock { $0 = short }
            #expect(try write(Self.jpeg(250), cache, of: Self.sha256(Character(digit))) == Self.jpeg(250))
        }
        // The third picture has replaced the least recently used picture.
        #expect(cache.read(.thumbnail, of: Self.sha256("a")) == nil)
        for digit: Character in ["b", "c", "d"] {
            #expect(cache.read(.thumbnail, of: Self.sha256(digit)) != nil, "\(digit)")
        }
    }

    @Test func `returns a picture unstored if the cache has no space for it`() throws {
        let cache = PictureCache(folder: folder, reserveBytes: { .max }, clock: time.hostClock)
        try cache.prepare()
        #expect(try write(Self.jpeg(250), cache, of: Self.sha256("a")) == Self.jpeg(250))
        #expect(try names() == [])
    }

    @Test func `counts the pictures of an earlier run`() throws {
        for digit: Character in ["a", "b", "c"] {
            time.advance(by: .seconds(1))
            _ = try write(Self.jpeg(300), try makeCache(), of: Self.sha256(digit))
        }
        time.advance(by: .seconds(1))
        let cache = try makeCache(bytesMax: 1_000)
        _ = try write(Self.jpeg(300), cache, of: Self.sha256("d"))
        #expect(cache.read(.thumbnail, of: Self.sha256("a")) == nil)
        #expect(cache.read(.thumbnail, of: Self.sha256("d")) != nil)
    }

    @Test func `ignores files that the cache did not write`() throws {
        let cache = try makeCache(bytesMax: 100)
        let foreign = [
            "note.txt", "aa/note.txt", "aa/\(Self.sha256("b"))-512.jpg", "aa/\(Self.sha256("a"))-1024.jpg",
        ]
        try FileManager.default.createDirectory(atPath: folder + "/aa", withIntermediateDirectories: true)
        for name in foreign {
            try Data(count: 1_000).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        time.advance(by: .seconds(1))
        _ = try write(Self.jpeg(90), cache, of: Self.sha256("a"))
        time.advance(by: .seconds(1))
        _ = try write(Self.jpeg(90), cache, .screen, of: Self.sha256("a"))
        #expect(cache.read(.thumbnail, of: Self.sha256("a")) == nil)
        #expect(cache.read(.screen, of: Self.sha256("a")) == Self.jpeg(90))
        for name in foreign { #expect(DurableFile.exists("\(folder)/\(name)"), "\(name)") }
    }

    @Test func `stores pictures again after a person deleted files or folders`() throws {
        let cache = try makeCache(bytesMax: 1_000)
        let sha256 = Self.sha256("a")
        for victim in [cache.path(.thumbnail, of: sha256), folder + "/aa", folder] {
            #expect(try write(Self.jpeg(400), cache, of: sha256) != nil)
            try FileManager.default.removeItem(atPath: victim)
            #expect(cache.read(.thumbnail, of: sha256) == nil)
        }
        // Deleted pictures do not count for the size limit.
        #expect(try write(Self.jpeg(400), cache, of: sha256) != nil)
        #expect(cache.read(.thumbnail, of: sha256) != nil)
    }

    @Test func `ignores a damaged picture and a symbolic link`() throws {
        let cache = try makeCache()
        let sha256 = Self.sha256("a")
        _ = try write(Self.jpeg(100), cache, of: sha256)
        let path = cache.path(.thumbnail, of: sha256)
        try Data().write(to: URL(filePath: path))
        #expect(cache.read(.thumbnail, of: sha256) == nil)
        let other = scratch.path("other.jpg")
        try Data(Self.jpeg(100)).write(to: URL(filePath: other))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        #expect(cache.read(.thumbnail, of: sha256) == nil)
        // A new picture replaces the link. The target of the link is unchanged.
        _ = try write(Self.jpeg(50), cache, of: sha256)
        #expect(cache.read(.thumbnail, of: sha256) == Self.jpeg(50))
        #expect(try Data(contentsOf: URL(filePath: other)).count == 100)
    }

    @Test func `removes unfinished files of an earlier run at startup`() throws {
        let cache = try makeCache()
        let part = try cache.makePart()
        try part.file.close()
        #expect(DurableFile.exists(part.path))
        _ = try makeCache()
        #expect(!DurableFile.exists(part.path))
    }
}
