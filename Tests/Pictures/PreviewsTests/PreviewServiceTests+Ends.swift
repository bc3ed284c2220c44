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

/// Tests of workers that end, and of photos without a picture.
extension PreviewServiceTests {
    @Test(arguments: [
        ScriptedPictureWorker.Answer.end(segmentationFault),
        .bytes([UInt8](repeating: 9, count: PictureResult.byteCount)), .result(ready),
    ])
    func `a photo that ends the worker twice has no preview`(answer: ScriptedPictureWorker.Answer)
        async throws
    {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("evil!".utf8) ? answer : .result(Self.ready, file: Self.jpeg)
        }
        let (evil, good) = (try makePhoto("e", "evil!"), try makePhoto())
        try await withService(worker) { service in
            for _ in 1...2 {
                await #expect(throws: PreviewError.noPreview) {
                    try await service.picture(.thumbnail, of: evil)
                }
            }
            #expect(worker.requests.count == 2 && worker.processes.count == 2)
            #expect(records[evil] == PreviewRecord(sha256: evil.sha256, state: .missing, workerFailures: 2))
            let jpeg = try await service.picture(.thumbnail, of: good)
            #expect(jpeg == Self.jpeg)
        }
        // The service remembers the photo after a restart.
        try await withService(worker) { service in
            await #expect(throws: PreviewError.noPreview) { try await service.picture(.screen, of: evil) }
        }
        #expect(worker.requests.count == 3)
        #expect(try parts() == [])
    }

    @Test func `another worker makes the picture after the first worker ended`() async throws {
        let isFirst = Mutex(true)
        let worker = ScriptedPictureWorker { _, _ in
            let mustEnd = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return mustEnd ? .end(Self.segmentationFault) : .result(Self.ready, file: Self.jpeg)
        }
        let photo = try makePhoto()
        try await withService(worker) { service in
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
        }
        #expect(worker.processes.count == 2)
        #expect(records[photo]?.workerFailures == 0 && records[photo]?.state == .ready)
    }

    @Test func `a photo that uses too much processor time twice has no preview`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let worker = ScriptedPictureWorker { _, _ in
            ask.yield()
            return .hang
        }
        let (photo, time) = (try makePhoto(), VirtualClock())
        try await withService(worker, clock: time.hostClock) { service in
            let picture: Task<[UInt8], any Error> = Task {
                try await service.picture(.thumbnail, of: photo)
            }
            for process in 1...2 {
                for await _ in asked { break }
                await time.hasSleeper()
                worker.processorSeconds = Double(process) * RequestLimits.processorSecondsMax
                time.advance(by: .seconds(RequestLimits.checkSeconds))
            }
            await #expect(throws: PreviewError.noPreview) { try await picture.value }
            for process in worker.processes {
                #expect(await process.waitForEnd() == .killed(signal: SIGKILL))
            }
        }
        #expect(worker.processes.count == 2 && records[photo]?.workerFailures == 2)
    }

    @Test(arguments: [PictureResult.Status.noPreview(.notFound), .noPreview(.damaged), .tooLarge])
    func `a photo without a picture is not decoded again`(status: PictureResult.Status) async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(PictureResult(number: 0, status: status)) }
        let photo = try makePhoto()
        try await withService(worker) { service in
            for task in [PictureTask.thumbnail, .screen] {
                await #expect(throws: PreviewError.noPreview) { try await service.picture(task, of: photo) }
            }
        }
        #expect(worker.requests == [.thumbnail])
        #expect(records[photo] == PreviewRecord(sha256: photo.sha256, state: .missing))
    }

    @Test(arguments: [
        ScriptedPictureWorker.Answer.result(PictureResult(number: 0, status: .failed(errno: ENOSPC))),
        .end(.exited(1)), .end(.killed(signal: SIGKILL)), .end(.killed(signal: SIGTERM)),
    ])
    func `retries a failure that the photo did not cause`(answer: ScriptedPictureWorker.Answer) async throws {
        let time = VirtualClock()
        let isFailing = Mutex(true)
        let worker = ScriptedPictureWorker { _, _ in
            isFailing.withLock(\.self) ? answer : .result(Self.ready, file: Self.jpeg)
        }
        let photo = try makePhoto()
        try await withService(worker, clock: time.hostClock) { service in
            let error = await #expect(throws: PreviewError.self) {
                try await service.picture(.thumbnail, of: photo)
            }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(records[photo] == nil)
            isFailing.withLock { $0 = false }
            time.advance(by: PicturePauses.photoBackoff.maximum)
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
        }
    }

    @Test func `replaces a worker that exits after its last result`() async throws {
        var last = Self.ready
        last.isLast = true
        let worker = ScriptedPictureWorker { [last] _, _ in .result(last, file: Self.jpeg) }
        let photos = try ["a", "b"].map { try makePhoto($0) }
        try await withService(worker) { service in
            for photo in photos {
                let jpeg = try await service.picture(.thumbnail, of: photo)
                #expect(jpeg == Self.jpeg)
            }
        }
        #expect(worker.processes.count == 2)
        for photo in photos { #expect(records[photo]?.workerFailures == 0) }
    }

    @Test func `replaces a worker that another program has stopped`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("stop".utf8)
                ? .end(.killed(signal: SIGTERM)) : .result(Self.ready, file: Self.jpeg)
        }
        let (photo, other) = (try makePhoto(), try makePhoto("b", "stop"))
        try await withService(worker) { service in
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
            await #expect(throws: PreviewError.self) { try await service.picture(.thumbnail, of: other) }
            // The signal ended the first worker, and later the worker that replaced it.
            #expect(worker.processes.count == 2 && records[other] == nil)
        }
    }

    @Test func `a missing program makes pictures unavailable`() async throws {
        let photo = try makePhoto()
        let service = PreviewService(
            cache: PictureCache(folder: folder, clock: .system), records: records.functions,
            start: PictureWorkerStart(program: scratch.path("missing")), cores: 8, clock: .system,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await service.run() }
        let error = await #expect(throws: PreviewError.self) {
            try await service.picture(.thumbnail, of: photo)
        }
        running.cancel()
        await running.value
        #expect(error == .unavailable("cannot start \(scratch.path("missing")): No such file or directory"))
        #expect(try parts() == [])
    }
}
