import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of the order of frames and photos in a burst, by the camera's log.
@Suite(.programs(2)) struct LiveViewBurstTests {
    /// The operation that reads a frame of an EOS, and the operations that read a photo.
    private static let (frameRead, photoReads) = ("9153", ["1009", "101b", "9104", "9107"])
    /// The number of photos, and the smallest number of chunks in which the worker reads each.
    private static let (photos, chunks) = (20, 3)
    /// The number of requested frames.
    private static let frames = 3

    @Test func `sends no frame inside a burst of requested photos`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "2500KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        // Live view must be on when the burst begins.
        let first = try worker.request { .liveFrame(id: $0, LiveFrameCommand()) }
        guard case .frame = first else { throw CameraTestError(words: "\(first)") }
        #expect(try camera.send("shoot \(Self.photos)").hasPrefix("ok"))
        let announcements = Announcements()
        let photos = try (0..<Self.photos).map { _ in try announcements.next(of: worker) }
        _ = try camera.operations()

        // A frame that starts first occupies the driver until all other commands have arrived.
        try camera.send("fault stall:1000@op 0x\(Self.frameRead)")
        let frame: (UInt64) -> WorkerCommand = { .liveFrame(id: $0, LiveFrameCommand()) }
        let fetches = photos.enumerated().map { index, photo in Self.fetch(photo, index, worker) }
        let ids = try worker.sendTogether(Array(repeating: frame, count: Self.frames) + fetches)
        for (id, photo) in zip(ids.dropFirst(Self.frames), photos) {
            let reply = try worker.reply(to: id)
            guard case .fetched(_, let result) = reply else { throw CameraTestError(words: "\(reply)") }
            #expect(
                try result.sha256 == camera.truth(of: photo.name).sha256, "[loss] wrong photo content")
        }
        for id in ids.prefix(Self.frames) {
            let reply = try worker.reply(to: id)
            guard case .frame(_, let frame) = reply else { throw CameraTestError(words: "\(reply)") }
            #expect(frame.isComplete)
        }

        let log = try camera.operations()
        let isFrame = log.map { $0.code == Self.frameRead }
        let reads = log.indices.filter { Self.photoReads.contains(log[$0].code) }
        #expect(reads.count >= Self.photos * Self.chunks, "the photos were not read in chunks")
        let (start, end) = (try #require(reads.first), try #require(reads.last))
        #expect(!isFrame[start...end].contains(true), "\(log[start...end].map(\.code))")
        // At most one frame started before the photos. The other frames follow the burst.
        #expect(isFrame[..<start].count { $0 } <= 1 && isFrame[end...].contains(true))
    }

    /// Returns a command that fetches a photo of the burst.
    private static func fetch(
        _ photo: CameraObject, _ index: Int, _ worker: WorkerProcess
    ) -> (UInt64) -> WorkerCommand {
        let request = FetchRequest(
            folder: photo.folder, name: photo.name, announcedSize: photo.size,
            partPath: worker.scratch.file("\(index).part"), isShot: true)
        return { .fetch(id: $0, request) }
    }
}
