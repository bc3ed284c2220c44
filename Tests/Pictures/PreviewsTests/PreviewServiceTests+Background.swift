import ChildProcesses
import FrameFastModel
import FrameFastSystem
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

    @Test func `a failure of this computer ends the work in the background`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let worker = ScriptedPictureWorker { _, _ in
            ask.yield()
            return .end(.exited(1))
        }
        let (one, two) = (try makePhoto("a"), try makePhoto("b"))
        let (shots, time) = (Shots([1: [one], 2: [two]], records), VirtualClock())
        try await withService(worker, source: shots.source, cores: 2, clock: time.hostClock) { service in
            service.handleTransfer(of: "left", isRunning: true)
            service.prepareThumbnail(of: 1)
            service.prepareThumbnail(of: 2)
            service.handleTransfer(of: "left", isRunning: false)
            time.advance(by: .seconds(CapturePause.settleSeconds))
            Self.wake(service)
            for await _ in asked { break }
            for _ in 1...2 {
                await #expect(throws: PreviewError.self) { try await service.picture(.screen, of: one) }
            }
            #expect(worker.requests == [.thumbnail, .screen, .screen])
        }
    }
}
