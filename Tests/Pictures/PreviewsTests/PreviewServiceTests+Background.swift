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
    /// The photos of each file, and the files that were reported as changed.
    private struct Shots {
        let source: PreviewBacklog.Source
        let changes: AsyncStream<CaptureID>

        /// - Parameter photos: The photos of each file's shot, in the order in which they represent the shot.
        init(_ photos: [CaptureID: [PreviewPhoto]], _ records: MemoryRecords) {
            let (changes, change) = AsyncStream<CaptureID>.makeStream()
            self.changes = changes
            source = PreviewBacklog.Source(
                photo: { id in
                    let usable = photos[id]?.first { records[$0]?.state != .missing }
                    return usable.flatMap { records[$0]?.meanColor == nil ? $0 : nil }
                },
                onChange: { change.yield($0) })
        }

        /// Waits for this number of changes, and returns their files.
        func first(_ count: Int) async -> [CaptureID] {
            var files: [CaptureID] = []
            for await file in changes {
                files.append(file)
                if files.count == count { break }
            }
            return files
        }
    }

    @Test func `makes thumbnails in the background, and each only once`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (one, two) = (try makePhoto("a"), try makePhoto("b"))
        let shots = Shots([1: [one], 2: [two]], records)
        try await withService(worker, source: shots.source) { service in
            service.prepareThumbnail(of: 1)
            let first = await shots.first(1)
            service.prepareThumbnail(of: 1)
            service.prepareThumbnail(of: 2)
            let second = await shots.first(1)
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
        let shots = Shots([1: [raw, jpeg]], records)
        try await withService(worker, source: shots.source) { service in
            service.prepareThumbnail(of: 1)
            let changed = await shots.first(2)
            #expect(changed == [1, 1])
        }
        #expect(records[raw]?.state == .missing && records[jpeg]?.state == .ready)
    }

    @Test func `background thumbnails wait during transfers, and a client does not`() async throws {
        let worker = ScriptedPictureWorker { _, _ in .result(Self.ready, file: Self.jpeg) }
        let (background, client) = (try makePhoto("a"), try makePhoto("b"))
        let (shots, time) = (Shots([1: [background]], records), VirtualClock())
        try await withService(worker, source: shots.source, cores: 2, clock: time.hostClock) { service in
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
            let changed = await shots.first(1)
            #expect(changed == [1])
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
        let (shots, time) = (Shots([1: [background]], records), VirtualClock())
        try await withService(worker, source: shots.source, clock: time.hostClock) { service in
            service.prepareThumbnail(of: 1)
            for await _ in asked { break }
            // The picture of a client is made after the attempt in the background has ended.
            _ = try await service.picture(.screen, of: client)
            #expect(worker.requests == [.thumbnail, .screen])
            time.advance(by: PicturePauses.photoBackoff.first)
            Self.wake(service)
            let changed = await shots.first(1)
            #expect(changed == [1])
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
        let (shots, time) = (Shots([1: [one], 2: [two], 3: [three]], records), VirtualClock())
        try await withService(worker, source: shots.source, clock: time.hostClock) { service in
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
            let changed = await shots.first(3)
            #expect(Set(changed) == [1, 2, 3])
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
        let (shots, time) = (Shots([1: [old], 2: [new]], records), VirtualClock())
        try await withService(worker, source: shots.source, clock: time.hostClock) { service in
            service.prepareThumbnail(of: 1)
            for await _ in asked { break }
            service.prepareThumbnail(of: 2)
            // The success ends the pause of the failed file.
            let changed = await shots.first(2)
            #expect(changed == [2, 1])
        }
    }
}
