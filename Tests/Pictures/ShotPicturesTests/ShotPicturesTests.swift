import CameraSimulator
import Foundation
import Glibc
import Logging
import TestRig
import Testing

@testable import ShotPictures

/// Pictures of photos, made by the real program.
@Suite struct ShotPicturesTests {
    private func pictures(
        _ folder: ScratchFolder, program: String = Programs.path("framefast-picture").path
    ) -> ShotPictures {
        ShotPictures(
            .init(program: program, folder: folder.path("pictures")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func facts(_ number: Int = 7) -> ShotFacts {
        ShotFacts(
            make: "Canon", model: "EOS", serial: "1", number: number,
            time: WallTime(hostMs: 1_700_000_000_000, offsetSeconds: 0))
    }

    private func photo(_ folder: ScratchFolder, _ name: String, _ bytes: [UInt8]) throws -> PictureSource {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return PictureSource(
            content: String(repeating: "0", count: 56)
                + String(name.utf8.reduce(10_000_000) { $0 + Int($1) }),
            path: path)
    }

    private func made(_ format: RawFormat?) throws -> [UInt8] {
        let source = PhotoSource(
            sizes: 200_000...200_000, raw: format ?? .cr3, recording: format == nil ? .jpeg : .raw, seed: 1)
        return try #require(source.files(of: Self.facts()).first).bytes.bytes
    }

    @Test(arguments: [RawFormat?.none] + RawFormat.allCases.map { .some($0) })
    func `the picture of each kind of file is made, kept, and known again`(format: RawFormat?) async throws {
        let folder = try ScratchFolder()
        let pictures = pictures(folder)
        let photo = try photo(folder, "photo", made(format))
        // As the page does on a busy computer: it asks again.
        let picture = try await eventually("the picture") {
            do { return try await pictures.picture(of: photo) } catch ShotPictures.Failure.busy { return nil }
        }
        #expect(picture.outcome == .made && picture.jpeg.starts(with: [0xFF, 0xD8]))
        #expect((picture.width, picture.height) == (480, 320))
        #expect(picture.histogram.count == 768 && picture.histogram.prefix(256).reduce(0, +) > 0)
        // From the cache, without the photo.
        try FileManager.default.removeItem(atPath: photo.path)
        #expect(try await pictures.picture(of: photo).jpeg == picture.jpeg)
    }

    /// The last two begin like a JPEG that is cut, and are a HEIF.
    @Test(arguments: [
        "hello", "", "\u{FF}\u{D8}\u{FF}\u{E0}",
        "\0\0\0\u{18}ftypheic\0\0\0\0mif1heic\0\0\0\u{10}mdat\u{FF}\u{D8}\u{FF}\u{E0}",
    ])
    func `what has no picture is said so, and remembered`(text: String) async throws {
        let folder = try ScratchFolder()
        let photo = try photo(folder, "photo", text.unicodeScalars.map { UInt8($0.value) } + [0])
        #expect(try await pictures(folder).picture(of: photo).outcome == .nothing)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path("pictures")).contains {
                $0.hasSuffix("-512")
            })
    }

    @Test func `a photo that kills the program twice has no picture, and others have`() async throws {
        let folder = try ScratchFolder()
        let script = folder.path("picture")
        let tries = folder.path("tries")
        let real = Programs.path("framefast-picture").path
        try
            "#!/bin/sh\necho x >> \(tries)\nif [ $(wc -l < \(tries)) -le 2 ]; then kill -SEGV $$; fi\nexec \(real) \"$@\"\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        let pictures = pictures(folder, program: script)
        #expect(try await pictures.picture(of: photo(folder, "bad", made(nil))).outcome == .broken)
        #expect(try await pictures.picture(of: photo(folder, "good", made(nil))).outcome == .made)
        #expect(try await pictures.picture(of: photo(folder, "bad", made(nil))).outcome == .broken)
        #expect(try String(contentsOfFile: tries, encoding: .utf8).count == 6)
    }

    @Test func `a picture that nobody waits for any more is given up, and the next is made`() async throws {
        let folder = try ScratchFolder()
        let script = folder.path("picture")
        let begun = folder.path("begun")
        let real = Programs.path("framefast-picture").path
        // The first hangs, as on a computer that has no time for it.
        try "#!/bin/sh\nif [ ! -e \(begun) ]; then echo $$ > \(begun); sleep 600; fi\nexec \(real) \"$@\"\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        let pictures = pictures(folder, program: script)
        let (slow, next) = try (photo(folder, "slow", made(nil)), photo(folder, "next", made(nil)))
        let waiters = (0..<2).map { _ in Task { try await pictures.picture(of: slow) } }
        let pid = try await eventually("it to be begun") {
            (try? String(contentsOfFile: begun, encoding: .utf8)).flatMap {
                Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        let behind = Task { try await pictures.picture(of: next) }
        let givenUp = Task { try await pictures.picture(of: photo(folder, "other", made(nil))) }
        givenUp.cancel()
        await #expect(throws: ShotPictures.Failure.busy) { try await givenUp.value }
        // One of two goes: the other still waits.
        waiters[0].cancel()
        #expect(RunningProgram.isAlive(pid))
        waiters[1].cancel()
        for waiter in waiters { await #expect(throws: ShotPictures.Failure.busy) { try await waiter.value } }
        #expect(!RunningProgram.isAlive(pid))
        #expect(try await behind.value.outcome == .made)
        // It says nothing of the photo.
        #expect(try await pictures.picture(of: slow).outcome == .made)
    }

    @Test func `a picture that takes too long is not held against its photo`() async throws {
        let folder = try ScratchFolder()
        let script = folder.path("picture")
        try "#!/bin/sh\nexec sleep 600\n".write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        var settings = ShotPictures.Settings(program: script, folder: folder.path("pictures"))
        settings.timeMax = .milliseconds(50)
        let slow = ShotPictures(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let photo = try photo(folder, "photo", made(nil))
        // As often as a photo may kill the program, and once more.
        for _ in 0..<3 {
            await #expect(throws: ShotPictures.Failure.busy) { try await slow.picture(of: photo) }
        }
        #expect(try await pictures(folder).picture(of: photo).outcome == .made)
    }

    @Test func `a photo that is not there is no reason to remember anything`() async throws {
        let folder = try ScratchFolder()
        let photo = PictureSource(content: String(repeating: "a", count: 64), path: folder.path("none"))
        await #expect(throws: ShotPictures.Failure.self) { try await pictures(folder).picture(of: photo) }
    }

    @Test func `those that were not looked at for longest go first`() throws {
        let folder = try ScratchFolder()
        let cache = PictureCache(folder: folder.path("pictures"), bytesMax: 40_000)
        for number in 0..<20 {
            let part = try cache.part("\(number)".padding(toLength: 64, withPad: "0", startingAt: 0), 512)
            try Data(MadePicture(none: .nothing).bytes).write(to: URL(filePath: part))
            var times = [
                timeval(tv_sec: 1_000 + number, tv_usec: 0), timeval(tv_sec: 1_000 + number, tv_usec: 0),
            ]
            utimes(part, &times)
            cache.keep(part)
        }
        let left = cache.makeRoom()
        #expect(left <= 36_000)
        let oldest = "0".padding(toLength: 64, withPad: "0", startingAt: 0)
        let newest = "19".padding(toLength: 64, withPad: "0", startingAt: 0)
        #expect(cache.picture(of: oldest, side: 512) == nil && cache.picture(of: newest, side: 512) != nil)
    }
}
