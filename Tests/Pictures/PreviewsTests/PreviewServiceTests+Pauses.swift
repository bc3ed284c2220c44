import ChildProcesses
import Dispatch
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import PictureProtocol
import ScriptedWorker
import ServiceLifecycle
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import Previews

/// Tests of failures that are not the fault of a photo.
extension PreviewServiceTests {
    /// Expects that a picture is not available now.
    private func expectUnavailable(
        _ service: PreviewService, _ photo: PreviewPhoto, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: PreviewError.self, sourceLocation: sourceLocation) {
            try await service.picture(.thumbnail, of: photo)
        }
        if case .unavailable = error { return }
        Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func `retries a photo with growing pauses if the kernel kills workers`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("large".utf8)
                ? .end(.killed(signal: SIGKILL)) : .result(Self.ready, file: Self.jpeg)
        }
        let (photo, other, time) = (try makePhoto("a", "large"), try makePhoto("b"), VirtualClock())
        try await withService(worker, clock: time.hostClock) { service in
            await expectUnavailable(service, photo)
            await expectUnavailable(service, photo)
            #expect(worker.requests.count == 1)
            // Other photos have no pause.
            let jpeg = try await service.picture(.thumbnail, of: other)
            #expect(jpeg == Self.jpeg)
            time.advance(by: .seconds(10))
            await expectUnavailable(service, photo)
            time.advance(by: .seconds(10))
            let before = worker.requests.count
            await expectUnavailable(service, photo)
            #expect(worker.requests.count == before)
            time.advance(by: .seconds(10))
            await expectUnavailable(service, photo)
            #expect(worker.requests.count > before)
        }
        #expect(records[photo] == nil)
    }

    @Test func `counts a hanging worker against the disk, not the photo`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let isHung = Mutex(true)
        let worker = ScriptedPictureWorker { _, _ in
            guard isHung.withLock(\.self) else { return .result(Self.ready, file: Self.jpeg) }
            ask.yield()
            return .hang
        }
        let (photo, neighbor) = (try makePhoto("a"), try makePhoto("b"))
        let (elsewhere, time) = (try makePhoto("c", in: "elsewhere"), VirtualClock())
        try await withService(worker, clock: time.hostClock) { service in
            let picture: Task<[UInt8], any Error> = Task {
                try await service.picture(.thumbnail, of: photo)
            }
            for await _ in asked { break }
            await time.hasSleeper()
            time.advance(by: .seconds(RequestLimits.checkSeconds))
            let error = await #expect(throws: PreviewError.self) { try await picture.value }
            let seconds = Int(RequestLimits.checkSeconds)
            #expect(error == .unavailable("cannot read \(photo.path): it did not run for \(seconds) s"))
            let end = await worker.processes.first?.waitForEnd()
            #expect(end == .killed(signal: SIGKILL))
            isHung.withLock { $0 = false }
            await expectUnavailable(service, neighbor)
            #expect(worker.requests.count == 1)
            let jpeg = try await service.picture(.thumbnail, of: elsewhere)
            #expect(jpeg == Self.jpeg)
            time.advance(by: PicturePauses.photoBackoff.first)
            for late in [photo, neighbor] {
                let jpeg = try await service.picture(.thumbnail, of: late)
                #expect(jpeg == Self.jpeg)
            }
        }
        #expect(records[photo]?.workerFailures == 0)
    }

    @Test(arguments: [ChildProcess.End.exited(1), .killed(signal: SIGSYS)])
    func `retries starting a worker with growing pauses`(end: ChildProcess.End)
        async throws
    {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        worker.endBeforeReady = end
        let (photo, time) = (try makePhoto(), VirtualClock())
        try await withService(worker, clock: time.hostClock) { service in
            for (seconds, starts) in [(0, 1), (0, 1), (1, 2), (1, 2), (1, 3)] {
                time.advance(by: .seconds(seconds))
                await expectUnavailable(service, photo)
                #expect(worker.processes.count == starts)
            }
            worker.endBeforeReady = nil
            time.advance(by: .seconds(4))
            let jpeg = try await service.picture(.thumbnail, of: photo)
            #expect(jpeg == Self.jpeg)
        }
        #expect(worker.requests == [.thumbnail] && records[photo]?.workerFailures == 0)
    }

    @Test func `cancellation ends the wait for a worker's ready message`() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let ending = AsyncResult<ChildProcess.End>()
        let worker = PictureWorkerStart { socket in
            start.yield()
            return .init(
                kill: { if ending.set(.killed(signal: SIGKILL)) { try? socket.close() } },
                waitForEnd: { await ending.wait() }, processorSeconds: { nil })
        }
        let opening = Task { try await PictureLink.open(worker, clock: VirtualClock().hostClock) }
        for await _ in started { break }
        opening.cancel()
        await #expect(throws: PictureLink.StartFailure.self) { try await opening.value }
    }

    @Test func `an unresponsive disk blocks neither stored pictures nor photos elsewhere`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        defer { disk.signal() }
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (hung, neighbor) = (try makePhoto("a", in: "network"), try makePhoto("b", in: "network"))
        let (stored, other, time) = (try makePhoto("c"), try makePhoto("d"), VirtualClock())
        let photos = PhotoOpener(clock: time.hostClock) { photo in
            if photo == hung {
                ask.yield()
                disk.wait()
            }
            return PhotoOpener.openPhoto(photo)
        }
        try await withService(worker, clock: time.hostClock, photos: photos) { service in
            _ = try await service.picture(.thumbnail, of: stored)
            let picture: Task<[UInt8], any Error> = Task {
                try await service.picture(.thumbnail, of: hung)
            }
            for await _ in asked { break }
            let first = try await service.picture(.thumbnail, of: stored)
            #expect(first == Self.jpeg)
            await time.hasSleeper()
            time.advance(by: .seconds(PhotoOpener.secondsMax))
            let error = await #expect(throws: PreviewError.self) { try await picture.value }
            #expect(error == .unavailable("cannot open \(hung.path): its disk does not answer"))
            await expectUnavailable(service, neighbor)
            let second = try await service.picture(.thumbnail, of: other)
            #expect(second == Self.jpeg)
        }
        #expect(worker.requests == [.thumbnail, .thumbnail] && records[hung] == nil)
    }

    @Test func `opens at most four photos at the same time`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        let opener = PhotoOpener(clock: VirtualClock().hostClock) { _ in
            ask.yield()
            disk.wait()
            return .failure(.photo(.photoMissing))
        }
        let photo = try makePhoto()
        let opening = (0..<PhotoOpener.threadsMax).map { _ in Task { await opener.open(photo) } }
        var count = 0
        for await _ in asked {
            count += 1
            if count == PhotoOpener.threadsMax { break }
        }
        #expect(await opener.open(photo) == .failure(.noThread))
        for _ in opening { disk.signal() }
        for task in opening { #expect(await task.value == .failure(.photo(.photoMissing))) }
        disk.signal()
        #expect(await opener.open(photo) == .failure(.photo(.photoMissing)))
    }

    @Test func `a shutdown does not wait for an unresponsive disk`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        defer { disk.signal() }
        let clock = VirtualClock().hostClock
        let photos = PhotoOpener(clock: clock) { _ in
            ask.yield()
            disk.wait()
            return .failure(.photo(.photoMissing))
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = PreviewService(
            cache: PictureCache(folder: folder, clock: clock), photos: photos, records: records.functions,
            start: PictureWorkerStart(program: scratch.path("missing")), source: { _ in nil }, cores: 8,
            clock: clock, logger: logger)
        let group = ServiceGroup(services: [service], logger: logger)
        let running = Task { try await group.run() }
        let photo = try makePhoto()
        let picture: Task<[UInt8], any Error> = Task { try await service.picture(.thumbnail, of: photo) }
        for await _ in asked { break }
        await group.triggerGracefulShutdown()
        try await running.value
        await #expect(throws: PreviewError.stopping) { try await picture.value }
    }

    @Test func `a folder whose disk does not answer keeps only one thread busy`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        let (hung, neighbor) = (try makePhoto("a", in: "network"), try makePhoto("b", in: "network"))
        let (other, time) = (try makePhoto("c"), VirtualClock())
        let opener = PhotoOpener(clock: time.hostClock) { photo in
            if photo != other {
                ask.yield()
                disk.wait()
            }
            return .failure(.photo(.photoMissing))
        }
        let opening = Task { await opener.open(hung) }
        for await _ in asked { break }
        await time.hasSleeper()
        time.advance(by: .seconds(PhotoOpener.secondsMax))
        #expect(await opening.value == .failure(.stalled))
        for _ in 1...PhotoOpener.threadsMax {
            #expect(await opener.open(neighbor) == .failure(.stalled))
        }
        #expect(await opener.open(other) == .failure(.photo(.photoMissing)))
        // The first signal is for the hung photo, and the second signal is for its neighbor.
        for _ in 1...2 { disk.signal() }
        try await eventually("the disk answered") {
            await opener.open(neighbor) == .failure(.photo(.photoMissing)) ? true : nil
        }
    }

    @Test func `a cancelled task does not wait for a disk, and blocks its folder only after the limit`()
        async throws
    {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        defer { disk.signal() }
        let (slow, neighbor, time) = (try makePhoto("a"), try makePhoto("b"), VirtualClock())
        let opener = PhotoOpener(clock: time.hostClock) { photo in
            if photo == slow {
                ask.yield()
                disk.wait()
            }
            return .failure(.photo(.photoMissing))
        }
        let opening = Task { await opener.open(slow) }
        for await _ in asked { break }
        opening.cancel()
        #expect(await opening.value == .failure(.stalled))
        #expect(await opener.open(neighbor) == .failure(.photo(.photoMissing)))
        // The timer of the cancelled task may start to sleep after the first advance.
        try await eventually("opens in the folder fail") { () async -> Bool? in
            time.advance(by: .seconds(PhotoOpener.secondsMax))
            return await opener.open(neighbor) == .failure(.stalled) ? true : nil
        }
    }

    @Test func `the reserve is 0 until the disk answers for the first time`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let disk = DispatchSemaphore(value: 0)
        let reserve = DiskReserve {
            ask.yield()
            disk.wait()
            return 5
        }
        #expect(reserve.bytes() == 0)
        for await _ in asked { break }
        #expect(reserve.bytes() == 0)
        disk.signal()
        // Each reading after the first one also waits for a signal.
        try await eventually("the reserve was read") { reserve.bytes() == 5 ? true : nil }
        disk.signal()
    }
}
