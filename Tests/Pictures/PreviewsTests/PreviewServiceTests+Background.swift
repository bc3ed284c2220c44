import ChildProcesses
import FrameFastModel
import FrameFastSystem
import Glibc
import PictureProtocol
import ScriptedWorker
import Synchronization
import TestRig
import Testing

@testable import Previews

/// Tests of thumbnails that the service makes in the background.
extension PreviewServiceTests {
    /// Returns a source of photos for thumbnails in the background.
    ///
    /// - Parameter photos: The photos of each file's shot, the preferred photo first.
    private func photoSource(_ photos: [CaptureID: [PreviewPhoto]]) -> PreviewBacklog.Source {
        return { [records] id in
            let usable = photos[id]?.first { records[$0]?.state != .missing }
            return usable.flatMap { records[$0]?.meanColor == nil ? $0 : nil }
        }
    }

    @Test func `makes thumbnails in the background, and each only once`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (one, two) = (try makePhoto("a"), try makePhoto("b"))
        try await withService(worker, source: photoSource([1: [one], 2: [two]])) { service in
            service.prepareThumbnail(of: 1)
            let first = await records.firstChanges(1)
            service.prepareThumbnail(of: 1)
            service.prepareThumbnail(of: 2)
            let second = await records.firstChanges(1)
            #expect(first == [1] && second == [2])
            #expect(records[one]?.meanColor == "#0180ff" && records[two]?.width == 6_000)
            let jpeg = try await service.picture(.thumbnail, of: two)
            #expect(jpeg == Self.jpeg)
            #expect(worker.requests == [.thumbnail, .thumbnail])
        }
    }

    @Test func `makes the thumbnail from the JPEG after a RAW without preview`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("raw".utf8)
                ? .result(PictureResult(number: 0, status: .noPreview(.notFound)))
                : .result(Self.ready, file: Self.jpeg)
        }
        let (raw, jpeg) = (try makePhoto("a", "raw"), try makePhoto("b", "jpeg"))
        try await withService(worker, source: photoSource([1: [raw, jpeg]])) { service in
            service.prepareThumbnail(of: 1)
            let changed = await records.firstChanges(2)
            #expect(changed == [1, 2])
        }
        #expect(records[raw]?.state == .missing && records[jpeg]?.state == .ready)
    }

    @Test func `reports a photo as changed once for all requests, with and without a preview`() async throws {
        let worker = ScriptedPictureWorker { _, photo in
            photo == Array("empty".utf8)
                ? .result(PictureResult(number: 0, status: .noPreview(.damaged)))
                : .result(Self.ready, file: Self.jpeg)
        }
        let (empty, good) = (try makePhoto("a", "empty"), try makePhoto("b"))
        try await withService(worker) { service in
            for task in [PictureTask.thumbnail, .screen] {
                await #expect(throws: PreviewError.noPreview) { try await service.picture(task, of: empty) }
                _ = try await service.picture(task, of: good)
            }
        }
        let changed = await records.allChanges()
        #expect(changed == [1, 2])
    }

    @Test func `thumbnails wait for the end of transfers, clients at most the longest pause`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (background, client) = (try makePhoto("a"), try makePhoto("b"))
        let (source, time) = (photoSource([1: [background]]), VirtualClock())
        try await withService(worker, source: source, cores: 2, clock: time.hostClock) { service in
            service.handleTransfer(of: "left", isRunning: true)
            service.prepareThumbnail(of: 1)
            async let picture = service.picture(.screen, of: client)
            await time.hasSleeper()
            time.advance(by: .seconds(CapturePause.secondsMax))
            Self.wake(service)
            let bytes = try await picture
            #expect(bytes == Self.jpeg && worker.requests == [.screen])
            service.handleTransfer(of: "left", isRunning: false)
            time.advance(by: .seconds(CapturePause.settleSeconds))
            Self.wake(service)
            let changed = await records.firstChanges(2)
            #expect(changed == [2, 1])
            #expect(worker.requests == [.screen, .thumbnail])
        }
    }

    private static let diskFull = PictureResult(number: 0, status: .failed(errno: ENOSPC))

    @Test func `repeats a failed thumbnail after a pause`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let isFirst = Mutex(true)
        let worker = ScriptedPictureWorker { _, _ in
            ask.yield()
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return .result(fails ? Self.diskFull : Self.ready, file: fails ? [] : Self.jpeg)
        }
        let (background, client) = (try makePhoto("a"), try makePhoto("b"))
        let (source, time) = (photoSource([1: [background]]), VirtualClock())
        try await withService(worker, source: source, clock: time.hostClock) { service in
            service.prepareThumbnail(of: 1)
            for await _ in asked { break }
            // The picture of a client is made after the attempt in the background has ended.
            _ = try await service.picture(.screen, of: client)
            #expect(worker.requests == [.thumbnail, .screen])
            time.advance(by: PicturePauses.photoBackoff.first)
            Self.wake(service)
            let changed = await records.firstChanges(2)
            #expect(changed == [2, 1])
        }
    }

    @Test func `several thumbnails that fail together are repeated after the first pause`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let isFull = Mutex(true)
        let worker = ScriptedPictureWorker { _, photo in
            ask.yield()
            let fails = photo != Array("client".utf8) && isFull.withLock(\.self)
            return .result(fails ? Self.diskFull : Self.ready, file: fails ? [] : Self.jpeg)
        }
        let (one, two, three) = (try makePhoto("a"), try makePhoto("b"), try makePhoto("c"))
        let client = try makePhoto("d", "client")
        let (source, time) = (photoSource([1: [one], 2: [two], 3: [three]]), VirtualClock())
        try await withService(worker, source: source, clock: time.hostClock) { service in
            for id: CaptureID in [1, 2, 3] { service.prepareThumbnail(of: id) }
            var attempts = 0
            for await _ in asked {
                attempts += 1
                if attempts == 3 { break }
            }
            // The picture of a client is made after the third attempt in the background has ended.
            _ = try await service.picture(.screen, of: client)
            isFull.withLock { $0 = false }
            time.advance(by: PicturePauses.photoBackoff.first)
            Self.wake(service)
            let changed = await records.firstChanges(4)
            #expect(changed.first == 4 && Set(changed) == [1, 2, 3, 4])
        }
    }

    @Test func `a failed thumbnail does not delay the next file`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let isFull = Mutex(true)
        let worker = ScriptedPictureWorker { _, photo in
            ask.yield()
            let fails = isFull.withLock { isFull in
                isFull = isFull && photo != Array("new".utf8)
                return isFull
            }
            return .result(fails ? Self.diskFull : Self.ready, file: fails ? [] : Self.jpeg)
        }
        let (old, new) = (try makePhoto("a"), try makePhoto("b", "new"))
        let (source, time) = (photoSource([1: [old], 2: [new]]), VirtualClock())
        try await withService(worker, source: source, clock: time.hostClock) { service in
            service.prepareThumbnail(of: 1)
            for await _ in asked { break }
            service.prepareThumbnail(of: 2)
            // The success of file 2 ends the pause of file 1.
            let changed = await records.firstChanges(2)
            #expect(changed == [2, 1])
        }
    }
}
