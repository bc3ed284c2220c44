import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import PictureProtocol
import ScriptedWorker
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import Previews

/// Tests of the service with a scripted picture worker.
@Suite(.blocking) struct PreviewServiceTests {
    /// The records of the ledger in memory.
    final class MemoryRecords: Sendable {
        private let records = Mutex<[String: PreviewRecord]>([:])
        private let changes: AsyncStream<CaptureID>
        private let change: AsyncStream<CaptureID>.Continuation

        init() { (changes, change) = AsyncStream.makeStream() }

        subscript(_ photo: PreviewPhoto) -> PreviewRecord? { records.withLock { $0[photo.sha256] } }

        var functions: PreviewRecords {
            PreviewRecords(
                find: { sha256 in self.records.withLock { $0[sha256] } },
                save: { record, file in
                    self.records.withLock { $0[record.sha256] = record }
                    self.change.yield(file)
                })
        }

        /// Waits until this number of files are reported as changed, and returns the files.
        func firstChanges(_ count: Int) async -> [CaptureID] {
            var files: [CaptureID] = []
            for await file in changes {
                files.append(file)
                if files.count == count { break }
            }
            return files
        }

        /// Returns the files that were reported as changed. Later changes are ignored.
        func allChanges() async -> [CaptureID] {
            change.finish()
            return await firstChanges(.max)
        }
    }

    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB] + [UInt8](repeating: 7, count: 60)
    static let ready = PictureResult(
        number: 0, status: .ready, width: 6_000, height: 4_000,
        meanColor: PictureColor(red: 1, green: 128, blue: 255), bytesWritten: jpeg.count)
    static let segmentationFault = ChildProcess.End.killed(signal: SIGSEGV)

    let scratch: ScratchFolder
    let records = MemoryRecords()

    var folder: String { scratch.path("previews") }

    init() throws { scratch = try ScratchFolder() }

    /// Writes a photo, and returns it. The photo "a" has the number 1 in the ledger, "b" has 2.
    func makePhoto(
        _ digit: Character = "a", _ text: String = "photo", in folder: String? = nil
    ) throws -> PreviewPhoto {
        if let folder {
            try FileManager.default.createDirectory(
                atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        let number = try #require(digit.hexDigitValue) - 9
        let path = scratch.path([folder, "\(digit).NEF"].compactMap(\.self).joined(separator: "/"))
        try Data(text.utf8).write(to: URL(filePath: path))
        return try #require(
            PreviewPhoto(
                capture: CaptureID(rawValue: Int64(number)), sha256: String(repeating: digit, count: 64),
                path: path, bytes: UInt64(text.utf8.count)))
    }

    /// Runs the service with a worker while `body` runs.
    func withService(
        _ worker: ScriptedPictureWorker, source: @escaping PreviewBacklog.Source = { _ in nil },
        cores: Int = 8, clock: HostClock = .system, photos: PhotoOpener? = nil,
        _ body: (PreviewService) async throws -> Void
    ) async throws {
        let start = PictureWorkerStart { socket in
            let process = worker.start(socket)
            return .init(
                kill: { process.kill() }, waitForEnd: { await process.waitForEnd() },
                processorSeconds: { worker.processorSeconds })
        }
        let service = PreviewService(
            cache: PictureCache(folder: folder, clock: clock), photos: photos ?? PhotoOpener(clock: clock),
            records: records.functions, start: start, source: source, cores: cores, clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await service.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        running.cancel()
        await running.value
        try result.get()
    }

    /// Wakes the service, which then reads the advanced time. File 99 has no photo, so the service makes no
    /// picture.
    static func wake(_ service: PreviewService) { service.prepareThumbnail(of: 99) }

    func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".part") }
    }

    @Test func `makes a picture once and returns the stored picture afterwards`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("photo".utf8) ? .result(Self.ready, file: Self.jpeg) : .end(.exited(1))
        }
        let photo = try makePhoto()
        try await withService(worker) { service in
            async let first = service.picture(.thumbnail, of: photo)
            async let second = service.picture(.thumbnail, of: photo)
            let both = try await [first, second]
            #expect(both == [Self.jpeg, Self.jpeg])
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
            #expect(worker.requests == [.thumbnail])
            let record = PreviewRecord(
                sha256: photo.sha256, state: .ready, width: 6_000, height: 4_000, meanColor: "#0180ff")
            #expect(records[photo] == record)
        }
        // After a restart, the picture needs neither the worker nor the photo.
        try FileManager.default.removeItem(atPath: photo.path)
        try await withService(ScriptedPictureWorker { _, _ in .end(.exited(1)) }) { service in
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
        }
        #expect(try parts() == [])
    }

    @Test func `the facts of a picture come with the picture`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let photo = try makePhoto()
        try await withService(worker) { service in
            _ = try await service.picture(.thumbnail, of: photo)
            #expect(try await service.facts(of: photo).width == 6_000)
            #expect(worker.requests == [.thumbnail])
            let other = try makePhoto("b")
            #expect(try await service.facts(of: other).height == 4_000)
            #expect(worker.requests == [.thumbnail, .facts])
        }
    }

    @Test func `a full-size picture does not change the mean color`() async throws {
        var copy = Self.ready
        copy.meanColor = PictureColor(red: 0, green: 0, blue: 0)
        let worker = ScriptedPictureWorker { [copy] task, _ in
            .result(task == .fullSize ? copy : Self.ready, file: Self.jpeg)
        }
        let photo = try makePhoto()
        try await withService(worker) { service in
            _ = try await service.picture(.thumbnail, of: photo)
            _ = try await service.picture(.fullSize, of: photo)
            #expect(records[photo]?.meanColor == "#0180ff")
        }
    }

    @Test func `ends an idle worker, and starts another for the next picture`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (photo, time) = (try makePhoto(), VirtualClock())
        try await withService(worker, clock: time.hostClock) { service in
            _ = try await service.picture(.thumbnail, of: photo)
            let process = try #require(worker.processes.first)
            await time.hasSleeper()
            time.advance(by: .seconds(PreviewService.idleSeconds))
            Self.wake(service)
            #expect(await process.waitForEnd() == .exited(0))
            _ = try await service.picture(.screen, of: photo)
            #expect(worker.processes.count == 2)
        }
    }

    @Test func `waits during a transfer on a computer with two cores`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (photo, time) = (try makePhoto(), VirtualClock())
        try await withService(worker, cores: 2, clock: time.hostClock) { service in
            service.handleTransfer(of: "left", isRunning: true)
            async let picture = service.picture(.thumbnail, of: photo)
            await time.hasSleeper()
            #expect(worker.requests.isEmpty)
            service.handleTransfer(of: "left", isRunning: false)
            let bytes = try await picture
            #expect(bytes == Self.jpeg)
        }
    }

    @Test func `makes one picture after the longest pause`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (photo, time) = (try makePhoto(), VirtualClock())
        try await withService(worker, cores: 2, clock: time.hostClock) { service in
            service.handleTransfer(of: "left", isRunning: true)
            async let picture = service.picture(.thumbnail, of: photo)
            await time.hasSleeper()
            time.advance(by: .seconds(CapturePause.secondsMax))
            Self.wake(service)
            let bytes = try await picture
            #expect(bytes == Self.jpeg)
        }
    }

    @Test func `a stop ends the worker and fails the waiting requests`() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let worker = ScriptedPictureWorker { _, _ in
            start.yield()
            return .hang
        }
        let photos = try ["a", "b"].map { try makePhoto($0) }
        let pictures = Mutex<[Task<[UInt8], any Error>]>([])
        try await withService(worker) { service in
            for photo in photos {
                let picture: Task<[UInt8], any Error> = Task {
                    try await service.picture(.thumbnail, of: photo)
                }
                pictures.withLock { $0.append(picture) }
            }
            for await _ in started { break }
        }
        for picture in pictures.withLock(\.self) {
            await #expect(throws: PreviewError.stopping) { try await picture.value }
        }
        // The photo did not end the worker.
        for photo in photos { #expect(records[photo] == nil) }
    }

    @Test func `a cancelled request ends at once`() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let worker = ScriptedPictureWorker { _, _ in
            start.yield()
            return .hang
        }
        let photo = try makePhoto()
        try await withService(worker) { service in
            let picture: Task<[UInt8], any Error> = Task {
                try await service.picture(.thumbnail, of: photo)
            }
            for await _ in started { break }
            picture.cancel()
            await #expect(throws: PreviewError.cancelled) { try await picture.value }
        }
    }

    @Test func `refuses a missing, a changed and a linked photo`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let photo = try makePhoto()
        let link = scratch.path("link.NEF")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: photo.path)
        let linked = try #require(
            PreviewPhoto(capture: 1, sha256: photo.sha256, path: link, bytes: photo.bytes))
        try await withService(worker) { service in
            await #expect(throws: PreviewError.self) { try await service.picture(.thumbnail, of: linked) }
            try Data("a longer photo".utf8).write(to: URL(filePath: photo.path))
            await #expect(throws: PreviewError.photoChanged) {
                try await service.picture(.thumbnail, of: photo)
            }
            try FileManager.default.removeItem(atPath: photo.path)
            await #expect(throws: PreviewError.photoMissing) {
                try await service.picture(.thumbnail, of: photo)
            }
        }
        #expect(worker.requests.isEmpty && records[photo] == nil)
    }
}
