import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of photos that are transferred in chunks.
@Suite(.serialized, .programs(2)) struct PieceTests {
    private func fetch(_ camera: SimulatedCamera, _ worker: WorkerProcess, _ object: CameraObject) throws {
        let reply = try worker.fetch(object).reply
        guard case .fetched(_, let result) = reply else {
            Issue.record("the photo was not fetched: \(reply)")
            return
        }
        #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
    }

    private func chunks(_ camera: SimulatedCamera) throws -> Int {
        try camera.state().requests["getPartialObject"] ?? 0
    }

    @Test(.nightly("measures throughput, which determines the chunk size"))
    func `chunks grow on a fast link and keep their size between photos`() throws {
        let camera = try SimulatedCamera(["--existing", "2", "--size", "40MiB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        try fetch(camera, worker, objects[0])
        // Chunks of 1, 2 and 4 MiB, and five of 8 MiB.
        let first = try chunks(camera)
        #expect(first < 20)
        try fetch(camera, worker, objects[1])
        #expect(try chunks(camera) - first <= first)
    }

    /// Returns the number of chunks of the second photo. Fetches the first photo so that the worker can
    /// measure the link.
    private func chunksOfSecond(_ camera: SimulatedCamera) throws -> Int {
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        try fetch(camera, worker, objects[0])
        let first = try chunks(camera)
        try fetch(camera, worker, objects[1])
        return try chunks(camera) - first
    }

    @Test(.nightly("measures throughput, which determines the chunk size"))
    func `keeps chunks small on a slow link`() throws {
        // The link is so slow that chunks keep the minimum size even if some arrive in bursts on a busy
        // system.
        let camera = try SimulatedCamera(["--existing", "2", "--size", "2MiB", "--rate", "1MB"])
        #expect(try chunksOfSecond(camera) == 8)
    }

    @Test func `requests no larger chunks from an EOS than Canon's software does`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--existing", "1", "--size", "20MiB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try fetch(camera, worker, try #require(try worker.list().first))
        #expect(try chunks(camera) >= 20)
    }

    @Test(arguments: ["refuse", "short"])
    func `fetches complete photos from a camera limited to chunks of one megabyte`(manner: String) throws {
        #expect(try chunksOfSecond(limited(manner)) >= 10)
    }

    @Test(
        .nightly("measures throughput, which determines the chunk size"), arguments: ["refuse", "short"])
    func `requests chunks of one megabyte from a camera limited to this size`(manner: String) throws {
        #expect(try chunksOfSecond(limited(manner)) == 10)
    }

    private func limited(_ manner: String) throws -> SimulatedCamera {
        try SimulatedCamera([
            "--existing", "2", "--size", "10MiB", "--piece-limit", "1MiB", "--piece-manner", manner,
        ])
    }

    @Test func `stops requesting a chunk size on which the camera hangs`() throws {
        let camera = try SimulatedCamera([
            "--existing", "1", "--size", "5MiB", "--piece-limit", "1MiB", "--piece-manner", "hang",
        ])
        var worker = try WorkerProcess()
        var isFetched = false
        for session in 0..<3 {
            if session > 0 { worker = try WorkerProcess(home: worker.scratch) }
            _ = try worker.open(camera)
            let object = try #require(try worker.list().first)
            let (reply, part) = try worker.fetch(object)
            unlink(part)
            if case .fetched(_, let result) = reply {
                isFetched = true
                #expect(session == 2)
                #expect(
                    try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
            } else {
                _ = try worker.wait { if case .lost = $0 { true } else { nil } }
            }
        }
        #expect(isFetched)
    }
}
