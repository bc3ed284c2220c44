import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of the number of requests per photo, as the camera counts them. Over a slow link, each request costs
/// a round trip. On a slow system, only the number of polls grows, in proportion to the elapsed time.
@Suite(.serialized, .programs(2), .nightly("measures requests per photo")) struct RequestCountTests {
    struct Case: CustomTestStringConvertible {
        var maker: String
        /// The maximum number of requests for a photo in a burst, without the requests for its chunks.
        var inBurst: Double
        /// The maximum number of requests for a photo if photos are 100 ms apart, including the request for
        /// its chunk.
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
    /// Returns the maximum number of polls in a given time. An EOS is polled every 50 ms, and once more after
    /// an event.
    private static func polls(inMs time: Int) -> Int { 2 * time / 50 }

    @Test(arguments: cases)
    func `a burst stays within the maker's limit of requests, excluding chunks and polls`(test: Case) throws {
        let count = try requests(of: test.maker, everyMs: 0)
        let most = Int(test.inBurst * Double(Self.photos)) + Self.polls(inMs: count.elapsedMs)
        #expect(count.total - count.chunks - count.deletion <= most, "\(count)")
    }

    @Test(arguments: cases)
    func `photos 100 ms apart stay within the maker's limit of requests`(test: Case) throws {
        let count = try requests(of: test.maker, everyMs: 100)
        let late = max(0, count.elapsedMs - Self.photos * 100)
        let most = Int(test.paced * Double(Self.photos)) + Self.polls(inMs: late)
        #expect(count.total - count.deletion <= most, "\(count)")
    }

    // MARK: Counting

    private struct Count {
        var total = 0
        /// The requests that transferred data of a photo.
        var chunks = 0
        /// The requests for deleting photos from a memory that must be emptied. Each photo needs one request
        /// to verify the photo and one to delete it.
        var deletion = 0
        var elapsedMs = 0
        var requests: [String: Int] = [:]
    }

    private static let readsObject = [
        "getObject", "getPartialObject", "canonGetObject", "canonGetPartialObject",
    ]

    /// Takes and fetches photos like the daemon, and counts the camera's requests.
    private func requests(of maker: String, everyMs: Int) throws -> Count {
        let camera = try SimulatedCamera(maker: maker, ["--size", "200KB"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        _ = try worker.list()
        // The worker reads the settings once before any photo is fetched.
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        // The test does not count the first photo, because the first poll sends additional requests.
        camera.press()
        var fetcher = PhotoFetcher(worker: worker, deletes: facts.mustDeleteAfterSave)
        try fetcher.fetch(1)
        let before = try camera.state().requests
        let start = monotonicMs()
        // Does not wait for the response, which the simulator sends after the last photo.
        let burst = try camera.sendWithoutWaiting("burst \(Self.photos) \(everyMs)")
        defer { close(burst) }
        try fetcher.fetch(Self.photos)
        var count = Count(elapsedMs: monotonicMs() - start)
        count.requests = try camera.state().requests.merging(before) { $0 - $1 }.filter { $0.value != 0 }
        count.total = count.requests.values.reduce(0, +)
        count.chunks = Self.readsObject.compactMap { count.requests[$0] }.reduce(0, +)
        count.deletion = 2 * (count.requests["deleteObject"] ?? 0)
        return count
    }
}

/// A client that fetches announced photos, a few at the same time, and deletes photos that must not remain in
/// the camera.
struct PhotoFetcher {
    /// The maximum number of concurrent fetches, as in the daemon.
    private static let fetchesMax = 3

    let worker: WorkerProcess
    /// Whether to delete photos from the camera after the fetch.
    let deletes: Bool
    /// The fetched photos, in order.
    private(set) var fetched: [(object: CameraObject, result: FetchResult)] = []
    private var waiting: [CameraObject] = []
    private var fetching: [UInt64: CameraObject] = [:]
    private var deleting: Set<UInt64> = []

    init(worker: WorkerProcess, deletes: Bool) {
        self.worker = worker
        self.deletes = deletes
    }

    /// Fetches a given number of further photos.
    mutating func fetch(_ count: Int) throws {
        let end = fetched.count + count
        while fetched.count < end || !deleting.isEmpty { _ = try step() }
    }

    /// Fetches photos until the running operation has ended and all of its photos are fetched.
    ///
    /// - Returns: The final progress of the operation.
    mutating func fetchUntilOperationEnds() throws -> CameraOperationProgress {
        let before = fetched.count
        var end: CameraOperationProgress?
        while true {
            if let end, fetched.count - before >= end.done, deleting.isEmpty { return end }
            if case .operation(let progress) = try step(), progress.state != .running { end = progress }
        }
    }

    /// Handles the next event of the worker.
    private mutating func step() throws -> WorkerEvent {
        let event = try worker.next()
        switch event {
        case .objectAdded(let object): waiting.append(object)
        case .fetched(let id, let result):
            guard let object = fetching.removeValue(forKey: id) else { break }
            fetched.append((object, result))
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
        return event
    }
}
