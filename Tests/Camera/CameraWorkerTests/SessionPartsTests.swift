import Foundation
import Testing

@testable import CameraWorker

/// The parts of a session that know one thing each.
@Suite struct SessionPartsTests {
    // MARK: Releases

    @Test func `releases that come before the camera is ready wait, and go in their order, once`() {
        var releases = ReleaseQueue()
        let isAtOnce = releases.ordered(1, nowMs: 100)
        #expect(isAtOnce && releases.delay(nowMs: 100) == nil)
        releases.wait(untilMs: 1_000)
        let waits = [releases.ordered(2, nowMs: 100), releases.ordered(3, nowMs: 999)]
        #expect(waits == [false, false])
        #expect(releases.delay(nowMs: 400) == 600)
        let early = releases.due(nowMs: 999)
        let due = releases.due(nowMs: 1_000)
        let again = releases.due(nowMs: 1_000)
        #expect(early == [] && due == [2, 3] && again == [])
        let isReady = releases.ordered(4, nowMs: 1_000)
        #expect(isReady && releases.delay(nowMs: 1_000) == nil)
    }

    // MARK: Events

    @Test func `three looks that fail in a row are too many, and a good one between them ends the row`() {
        var events = EventWatch(nowMs: 0)
        let first = [events.failed(), events.failed()]
        events.hadOne()
        let second = [events.failed(), events.failed()]
        events.hadNone(didAsk: true)
        let third = [events.failed(), events.failed(), events.failed()]
        #expect(first + second + third == [false, false, false, false, false, false, true])
    }

    @Test func `whether the driver asks is learnt, and anew in each session of it`() {
        var events = EventWatch(nowMs: 0)
        #expect(events.driverAsks == nil)
        events.hadNone(didAsk: true)
        #expect(events.driverAsks == true)
        events.hadNone(didAsk: false)
        #expect(events.driverAsks == false)
        events.beginSession()
        #expect(events.driverAsks == nil)
    }

    @Test func `a camera is kept awake every five seconds`() {
        var events = EventWatch(nowMs: 0)
        let times = [10_000, 10_001, 14_999, 15_000, 19_999] as [UInt64]
        let due = times.filter { events.mustKeepAwake(nowMs: $0) }
        #expect(due == [10_000, 15_000])
    }

    // MARK: What the driver is shown

    @Test func `the driver needs no help to find what is in a folder that it may read`() {
        var view = DriverView()
        view.measured(answerMs: 5)
        #expect(view.atOnce == 50)
        view.add(LargeFolder(handle: 7, order: Array(100..<400)), at: "/a")
        let isFirst = view.learn("IMG_1.JPG", 110, in: "/a")
        let isSecond = view.learn("IMG_1.JPG", 111, in: "/a")
        let isElsewhere = view.learn("IMG_1.JPG", 900, in: "/b")
        #expect(isFirst && !isSecond && isElsewhere)
        #expect(view.place(of: "IMG_1.JPG", in: "/b") == nil)
        #expect(view.place(of: "IMG_2.JPG", in: "/a") == nil)
        let place = view.place(of: "IMG_1.JPG", in: "/a")
        #expect(place?.folder == 7 && place?.handle == 110)
        #expect(place.map { Array($0.shown) } == Array(110..<160))
    }

    // MARK: Pieces

    @Test func `a size that the camera refuses is not asked for again, and one that came is`() throws {
        let scratch = try ScratchDirectory()
        func pieces() -> PieceControl {
            PieceControl(memory: PieceMemory(camera: "A B 1", home: scratch.path))
        }
        var first = pieces()
        var size = first.begin(left: 0)
        #expect(size == PieceSize.usual)
        for _ in 0..<3 {
            first.came(size, in: (roundTrip: 1, total: 2))
            size = first.begin(left: 0)
        }
        #expect(size == PieceSize.most)
        let isWorthLess = first.failed(isRefused: true)
        #expect(isWorthLess && first.begin(left: 0) == PieceSize.usual)
        let isBeyondHelp = first.failed(isRefused: true)
        #expect(!isBeyondHelp, "less than every camera sends is not asked for")
        var second = pieces()
        _ = second.begin(left: 0)
        let isOtherwise = second.failed(isRefused: false)
        #expect(!isOtherwise)
    }

    @Test func `the last piece of a photo costs no note that a longer one was asked for`() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.path + "/pieces.json"
        var pieces = PieceControl(memory: PieceMemory(camera: "A B 1", home: scratch.path))
        func photo(_ bytes: Int) {
            var left = bytes
            while left > 0 {
                let count = min(pieces.begin(left: UInt64(left)), left)
                pieces.came(count, in: (roundTrip: 1, total: 2))
                left -= count
            }
        }
        photo(40 << 20)
        try FileManager.default.removeItem(atPath: file)
        for megabytes in 1..<24 { photo(megabytes << 20) }
        #expect(!FileManager.default.fileExists(atPath: file), "each note is a file that is written anew")
    }
}
