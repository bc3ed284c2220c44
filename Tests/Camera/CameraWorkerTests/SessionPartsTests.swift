import Foundation
import FrameFastModel
import Testing

@testable import CameraWorker

/// Tests of the parts of a connection that need no camera.
@Suite struct SessionPartsTests {
    // MARK: Releases

    @Test func `queued releases wait until the camera is ready and run once`() {
        var releases = ReleaseQueue()
        let isAtOnce = releases.admit(1, at: .milliseconds(100))
        #expect(isAtOnce && releases.due == nil)
        releases.pause(until: .milliseconds(1_000))
        let waits = [releases.admit(2, at: .milliseconds(100)), releases.admit(3, at: .milliseconds(999))]
        #expect(waits == [false, false])
        #expect(releases.due == .milliseconds(1_000))
        let early = releases.removeDue(at: .milliseconds(999))
        let due = releases.removeDue(at: .milliseconds(1_000))
        let again = releases.removeDue(at: .milliseconds(1_000))
        #expect(early == [] && due == [2, 3] && again == [])
        let isReady = releases.admit(4, at: .milliseconds(1_000))
        #expect(isReady && releases.due == nil)
    }

    @Test func `operations wait for a slow start but not for the retry of a release`() {
        var releases = ReleaseQueue()
        #expect(releases.startDelay(at: .milliseconds(100)) == .zero)
        releases.pause(until: .milliseconds(1_000))
        #expect(releases.startDelay(at: .milliseconds(100)) == .milliseconds(900))
        #expect(releases.startDelay(at: .milliseconds(1_000)) == .zero)
        let retries = releases.retry(1, at: .milliseconds(2_000))
        #expect(retries && releases.startDelay(at: .milliseconds(2_000)) == .zero)
    }

    // MARK: Events

    @Test func `treats the event channel as broken after three failed polls in a row`() {
        var events = EventWatch(at: .start)
        let first = [events.recordFailure(), events.recordFailure()]
        events.recordEvent()
        let second = [events.recordFailure(), events.recordFailure()]
        events.recordNoEvent(didSendRequest: true)
        let third = [events.recordFailure(), events.recordFailure(), events.recordFailure()]
        #expect(first + second + third == [false, false, false, false, false, false, true])
    }

    @Test func `determines in each driver connection whether a poll sends a request`() {
        var events = EventWatch(at: .start)
        #expect(events.pollSendsRequest == nil)
        events.recordNoEvent(didSendRequest: true)
        #expect(events.pollSendsRequest == true)
        events.recordNoEvent(didSendRequest: false)
        #expect(events.pollSendsRequest == false)
        events.beginSession()
        #expect(events.pollSendsRequest == nil)
    }

    @Test func `a request to keep the camera awake is due every five seconds`() {
        var events = EventWatch(at: .start)
        let times = [10_000, 10_001, 14_999, 15_000, 19_999] as [Int]
        let due = times.filter { events.mustKeepAwake(at: .milliseconds($0)) }
        #expect(due == [10_000, 15_000])
    }

    // MARK: Objects shown to the driver

    @Test func `locates photos only in folders too large for the driver`() {
        var view = DriverView()
        view.updateLimits(responseMs: 5)
        #expect(view.readLimit == 50)
        view.add(LargeFolder(handle: 7, order: Array(100..<400)), at: "/a")
        let isFirst = view.register("IMG_1.JPG", 110, in: "/a")
        let isSecond = view.register("IMG_1.JPG", 111, in: "/a")
        let isElsewhere = view.register("IMG_1.JPG", 900, in: "/b")
        #expect(isFirst && !isSecond && isElsewhere)
        #expect(view.location(of: "IMG_1.JPG", in: "/b") == nil)
        #expect(view.location(of: "IMG_2.JPG", in: "/a") == nil)
        let place = view.location(of: "IMG_1.JPG", in: "/a")
        #expect(place?.folder == 7 && place?.handle == 110)
        #expect(place.map { Array($0.shown) } == Array(110..<160))
    }

    // MARK: Card cache

    @Test func `keeps a cached object that is written after an interrupted write`() throws {
        let scratch = try ScratchDirectory()
        func object(_ name: String) -> CameraObject {
            CameraObject(folder: "/store_00010001", name: name, size: 1, cameraTime: nil)
        }
        var first = CardCache(camera: "A B 1", home: scratch.path)
        first.append([(1, object("1.JPG")), (2, object("2.JPG"))])
        let file = try FileHandle(forUpdating: URL(filePath: scratch.file("card.jsonl")))
        try file.truncate(atOffset: file.seekToEnd() - 4)
        try file.close()
        var second = CardCache(camera: "A B 1", home: scratch.path)
        second.append([(3, object("3.JPG"))])
        let third = CardCache(camera: "A B 1", home: scratch.path)
        #expect(third[1] == object("1.JPG") && third[2] == nil && third[3] == object("3.JPG"))
    }

    // MARK: Chunks

    @Test func `does not request a refused chunk size again`() throws {
        let scratch = try ScratchDirectory()
        func chunks() -> ChunkControl {
            ChunkControl(history: ChunkSizeHistory(camera: "A B 1", home: scratch.path))
        }
        var first = chunks()
        var size = first.beginChunk(left: .max)
        #expect(size == ChunkSize.usual)
        for _ in 0..<3 {
            first.recordChunk(size, in: (roundTrip: 1, total: 2))
            size = first.beginChunk(left: .max)
        }
        #expect(size == ChunkSize.most)
        let retries = first.recordFailure(isRefused: true)
        #expect(retries && first.beginChunk(left: .max) == ChunkSize.usual)
        let retriesAgain = first.recordFailure(isRefused: true)
        #expect(!retriesAgain, "every camera supports the usual size, so the worker tries no smaller size")
        var second = chunks()
        _ = second.beginChunk(left: .max)
        let retriesOtherFailure = second.recordFailure(isRefused: false)
        #expect(!retriesOtherFailure)
    }

    @Test func `does not rewrite the history file for a photo's short last chunk`() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.path + "/pieces.json"
        var chunks = ChunkControl(history: ChunkSizeHistory(camera: "A B 1", home: scratch.path))
        func photo(_ bytes: Int) {
            var left = bytes
            while left > 0 {
                let count = min(chunks.beginChunk(left: UInt64(left)), left)
                chunks.recordChunk(count, in: (roundTrip: 1, total: 2))
                left -= count
            }
        }
        photo(40 << 20)
        try FileManager.default.removeItem(atPath: file)
        for megabytes in 1..<24 { photo(megabytes << 20) }
        #expect(!FileManager.default.fileExists(atPath: file), "the history file was written again")
    }

    @Test func `does not rewrite the history file at the end of a photo of one chunk`() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.path + "/pieces.json"
        var chunks = ChunkControl(history: ChunkSizeHistory(camera: "A B 1", home: scratch.path))
        /// Requests chunks until no bytes arrive, like the worker. Returns the requested sizes, in MiB.
        func photo(_ bytes: Int) -> [Int] {
            var left = bytes
            var sizes: [Int] = []
            while true {
                let size = chunks.beginChunk(left: UInt64(left))
                sizes.append(size >> 20)
                let count = min(size, left)
                chunks.recordChunk(count, in: (roundTrip: 1, total: 2))
                guard count > 0 else { return sizes }
                left -= count
            }
        }
        let first = photo(8_000_000)
        #expect(first == [1, 2, 4, 8, 1])
        let second = photo(8_000_000)
        #expect(second == [8, 1])
        try FileManager.default.removeItem(atPath: file)
        for _ in 0..<3 {
            let next = photo(8_000_000)
            #expect(next == [8, 1])
        }
        #expect(!FileManager.default.fileExists(atPath: file), "the history file was written again")
    }

    @Test func `requests at most the usual chunk size after the announced bytes`() {
        var chunks = ChunkControl()
        for _ in 0..<3 {
            let size = chunks.beginChunk(left: .max)
            chunks.recordChunk(size, in: (roundTrip: 1, total: 2))
        }
        let large = chunks.beginChunk(left: .max)
        let afterEnd = chunks.beginChunk(left: 0)
        #expect(large == ChunkSize.most && afterEnd == ChunkSize.usual)
        chunks.limit(ChunkSize.least)
        let limited = chunks.beginChunk(left: 0)
        #expect(limited == ChunkSize.least)
    }

    // MARK: Full photo store

    @Test(
        arguments: [
            (nil, 500, false), (2_000, 500, false), (1_040, 40, true), (1_000, 0, true), (900, 0, true),
        ] as [(Int?, Int, Bool)])
    func `waits with a full photo store until the next duty is due`(
        dueMs: Int?, timeoutMs: Int, isDutyDue: Bool
    ) {
        let now = Instant.milliseconds(1_000)
        let wait = FullStoreWait(due: dueMs.map { .milliseconds($0) })
        let timeout = wait.timeout(at: now)
        #expect(timeout == .milliseconds(timeoutMs))
        #expect(wait.isDutyDue(at: now + timeout) == isDutyDue)
    }
}
