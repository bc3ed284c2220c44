import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import UploadEngine

@Suite(.blocking) struct LocalFailureMappingTests {
    let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func photo(_ path: String) throws -> String {
        let file = scratch.path(path)
        try FileManager.default.createDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data("a photo".utf8).write(to: URL(filePath: file))
        return file
    }

    @Test(arguments: [
        EIO, EMFILE, ENFILE, ENOMEM, ESTALE, EACCES, EPERM, ENODEV, ETIMEDOUT, EHOSTDOWN, ENXIO,
    ])
    func `a local read error is a temporary failure of the source`(number: Int32) throws {
        let file = try photo("day/a.jpg")
        let failure = LocalFailureMapping.failure(Errno(rawValue: number), file)
        #expect(failure.kind == .sourceAway)
        #expect(failure.sentence.contains(file) && failure.failedAttempt.nextStep != nil)
        #expect(failure.shortage?.rawValue == ([EMFILE, ENFILE, ENOMEM].contains(number) ? number : nil))
    }

    @Test func `only a file missing from its folder is a permanent failure`() throws {
        let file = try photo("day/a.jpg")
        _ = try photo("day/b.jpg")
        try FileManager.default.removeItem(atPath: file)
        #expect(LocalFailureMapping.failure(Errno(rawValue: ENOENT), file).kind == .permanent(.fileGone))
        #expect(LocalFailureMapping.failure(Errno(rawValue: ELOOP), file).kind == .permanent(.fileGone))
    }

    @Test(arguments: [ENOENT, ENOTDIR])
    func `a file that exists again is not reported as missing`(number: Int32) throws {
        let file = try photo("day/a.jpg")
        _ = try photo("day/b.jpg")
        let failure = LocalFailureMapping.failure(Errno(rawValue: number), file)
        #expect(failure.kind == .sourceAway)
        #expect(failure.sentence == "The file \(file) could not be opened right now.")
        #expect(LocalFailureMapping.awayFolder(of: file) == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func `reports no missing file while its folder disappears and returns`() throws {
        let files = try (1...3).map { try photo("captures/\($0).jpg") }
        let captures = scratch.path("captures")
        let isOver = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) {
                rename(captures, captures + ".away")
                rename(captures + ".away", captures)
            }
            ended.signal()
        }
        var failures: [UploadFailure] = []
        while failures.count < 50 {
            for file in files {
                do throws(SystemCallError) { _ = try FileReader(file) } catch {
                    failures.append(LocalFailureMapping.failure(error, file))
                }
            }
        }
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        #expect(failures.filter { $0.kind != .sourceAway }.map(\.sentence) == [])
    }

    @Test func `a missing folder or an empty mount point counts as unreachable`() throws {
        let file = try photo("captures/day/a.jpg")
        let captures = scratch.path("captures")
        try FileManager.default.moveItem(atPath: captures, toPath: captures + ".away")
        #expect(LocalFailureMapping.awayFolder(of: file) == captures)
        let failure = LocalFailureMapping.failure(Errno(rawValue: ENOENT), file)
        #expect(failure.kind == .sourceAway && failure.sentence.contains(captures))
        // A mount point that contains only the service's `.framefast` folder counts as empty.
        try FileManager.default.createDirectory(
            atPath: captures + "/.framefast/incoming", withIntermediateDirectories: true)
        #expect(LocalFailureMapping.awayFolder(of: file) == captures + "/day")
        let direct = captures + "/b.jpg"
        #expect(LocalFailureMapping.awayFolder(of: direct) == captures)
        #expect(LocalFailureMapping.failure(Errno(rawValue: ENOENT), direct).kind == .sourceAway)
        try FileManager.default.removeItem(atPath: captures)
        try FileManager.default.moveItem(atPath: captures + ".away", toPath: captures)
        #expect(LocalFailureMapping.awayFolder(of: file) == nil)
    }

    @Test func `each installation has a stable and unique station name`() throws {
        let first = try Station.installed(in: scratch.path("state"))
        #expect(try Station.installed(in: scratch.path("state")) == first)
        let other = try Station.installed(in: scratch.path("other"))
        #expect(other != first)
        #expect(first.name.count == 8 && Station(first.name) == first)
        try Data("../../x\n".utf8).write(to: URL(filePath: scratch.path("state/station")))
        let mended = try Station.installed(in: scratch.path("state"))
        #expect(mended != first)
        #expect(try Station.installed(in: scratch.path("state")) == mended)
    }
}
