import Foundation
import FrameFastModel
import Glibc
import Testing
import WorkerProtocol

/// What a photo costs in requests: over a slow link each is a round trip. Counted by the camera, so that a slow
/// computer changes nothing but the looks for events, of which a time allows only so many.
@Suite(.serialized, .blocking) struct RequestCountTests {
    struct Case: CustomTestStringConvertible {
        var maker: String
        /// Requests for a photo of a burst, without its pieces.
        var inBurst: Double
        /// Requests for a photo when one is taken every 100 ms, its piece included.
        var paced: Double
        var testDescription: String { maker }
    }

    static let cases = [
        Case(maker: "generic", inBurst: 1.1, paced: 2.2),
        Case(maker: "canon", inBurst: 2.5, paced: 5.5),
        Case(maker: "nikon", inBurst: 2.5, paced: 5),
        Case(maker: "sony", inBurst: 2.5, paced: 5),
        Case(maker: "fuji", inBurst: 1.5, paced: 5.5),
    ]
    private static let photos = 40
    /// Requests for looks that a time allows, at most: an EOS is asked every 50 ms, and once more if it had something.
    private static func looks(inMs time: Int) -> Int { 2 * time / 50 }

    @Test(arguments: cases)
    func `a photo of a burst costs what says that it is there and what it is, and its pieces`(test: Case)
        throws
    {
        let count = try requests(of: test.maker, everyMs: 0)
        let most = Int(test.inBurst * Double(Self.photos)) + Self.looks(inMs: count.elapsedMs)
        #expect(count.total - count.pieces - count.deletion <= most, "\(count)")
    }

    @Test(arguments: cases)
    func `a photo every 100 ms costs two looks more`(test: Case) throws {
        let count = try requests(of: test.maker, everyMs: 100)
        let late = max(0, count.elapsedMs - Self.photos * 100)
        let most = Int(test.paced * Double(Self.photos)) + Self.looks(inMs: late)
        #expect(count.total - count.deletion <= most, "\(count)")
    }

    // MARK: Counting

    private struct Count {
        var total = 0
        /// Those that brought bytes of a photo.
        var pieces = 0
        /// Those for the deletion of a photo from a memory that must be emptied: the question whether it still is the
        /// one that was saved, and the order.
        var deletion = 0
        var elapsedMs = 0
        var requests: [String: Int] = [:]
    }

    private static let readsObject = [
        "getObject", "getPartialObject", "canonGetObject", "canonGetPartialObject",
    ]

    /// Takes photos as the daemon does, and counts what the camera was asked for.
    private func requests(of maker: String, everyMs: Int) throws -> Count {
        let camera = try SimulatedCamera(maker: maker, ["--size", "200KB"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        _ = try worker.list()
        // The settings are read once, when nobody takes photos.
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        // What comes with the first look for events is over with it.
        camera.press()
        var taker = PhotoTaker(worker: worker, deletes: facts.mustDeleteAfterSave)
        try taker.take(1)
        let before = try camera.state().requests
        let order = "burst \(Self.photos) \(everyMs)"
        var burst: Int32?
        defer { burst.map { _ = close($0) } }
        if everyMs > 0 {
            // It answers when the last one is taken.
            burst = try camera.begin(order)
        } else {
            // All are there before the first look: on a slow computer they would come one by one.
            kill(worker.pid, SIGSTOP)
            defer { kill(worker.pid, SIGCONT) }
            try camera.say(order)
        }
        let start = monotonicMs()
        try taker.take(Self.photos)
        var count = Count(elapsedMs: monotonicMs() - start)
        count.requests = try camera.state().requests.merging(before) { $0 - $1 }.filter { $0.value != 0 }
        count.total = count.requests.values.reduce(0, +)
        count.pieces = Self.readsObject.compactMap { count.requests[$0] }.reduce(0, +)
        count.deletion = 2 * (count.requests["deleteObject"] ?? 0)
        return count
    }
}

/// Fetches what a worker announces, a few at a time, and lets go of what must not stay in the camera.
struct PhotoTaker {
    /// Fetches under way at most, as the daemon has it.
    private static let fetchesMax = 3

    let worker: WorkerProcess
    /// Whether photos are deleted on the camera when they are here.
    let deletes: Bool
    /// The photos that came, in order.
    private(set) var taken: [(object: CameraObject, result: FetchResult)] = []
    private var waiting: [CameraObject] = []
    private var fetching: [UInt64: CameraObject] = [:]
    private var deleting: Set<UInt64> = []

    init(worker: WorkerProcess, deletes: Bool) {
        self.worker = worker
        self.deletes = deletes
    }

    /// Takes so many photos more.
    mutating func take(_ count: Int) throws {
        let end = taken.count + count
        while taken.count < end || !deleting.isEmpty {
            switch try worker.next() {
            case .objectAdded(let object): waiting.append(object)
            case .fetched(let id, let result):
                guard let object = fetching.removeValue(forKey: id) else { break }
                taken.append((object, result))
                if deletes || object.isInMemory {
                    deleting.insert(try worker.send { .delete(id: $0, object) })
                }
            case .done(let id): deleting.remove(id)
            case .failed(_, let failure): throw failure
            case .lost(let failure): throw failure
            default: break
            }
            while fetching.count < Self.fetchesMax, !waiting.isEmpty {
                let object = waiting.removeFirst()
                fetching[try worker.sendFetch(object, isShot: true).id] = object
            }
        }
    }
}
