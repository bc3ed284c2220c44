import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import TestRig
import Testing

@testable import UploadEngine

/// A ledger with photos, and services that upload them.
final class UploadRig: Sendable {
    let folder: String
    let photos: String
    let store: LedgerStore
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let events = Recording<UploadEvent>()
    /// The IDs of delivered jobs. A job that is delivered twice appears twice.
    let deliveries = Recording<JobID>()
    let time = ManualClock()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "uploads-\(UUID().uuidString)").path
        photos = folder + "/photos"
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        store = try LedgerStore(path: folder + "/ledger.sqlite")
    }

    /// Creates a rig with an existing ledger, for example on a separate disk.
    init(folder: String, store: LedgerStore, photos: String) throws {
        self.folder = folder
        self.store = store
        self.photos = photos
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Saves photos with these names. By default, photos with different names have different bytes.
    func save(
        _ names: [String], in folder: String? = nil, session: SessionID? = nil, isUnsorted: Bool = false,
        cameraTime: Int64? = nil,
        bytes: @Sendable (String) -> Data = { Data("bytes of \($0)".utf8) }
    )
        async throws
    {
        let objects = names.map {
            CameraObject(
                folder: "/store_1/A", name: $0, size: UInt64(bytes($0).count),
                cameraTime: cameraTime)
        }
        let seen = try await store.recordSeen(objects, camera: "camera", at: time.now) { _ in
            .init(session, isUnsorted: isUnsorted)
        }
        let photos = folder ?? photos
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        let arrivals = seen.map { record in
            let data = bytes(record.object.name)
            return Arrival(
                id: record.id, bytes: UInt64(data.count), sha256: Self.sha256(data), transferMs: 1)
        }
        let naming = LedgerStore.NamingPolicy(
            counterScope: { "\($0.id)" },
            path: { record, _ in "\(photos)/\(record.id)-\(record.object.name)" },
            pairSettleSeconds: 0)
        for record in try await store.beginPublishing(arrivals, naming: naming) {
            try bytes(record.object.name).write(to: URL(filePath: try #require(record.path)))
        }
        // Uses the real clock, because the times of the files come from the real clock.
        try await store.finishPublishing(seen.map(\.id), at: Date())
    }

    static func sha256(_ data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    /// A limit that no test reaches, in seconds. On a busy machine, a test may advance the clock by minutes
    /// while an upload runs.
    static let neverStalls = 1e9

    /// - Parameter stallSeconds: See ``UploadTarget/stallSeconds``.
    func target(
        _ destination: any UploadDestination, name: DestinationName = "nas", workers: Int = 1,
        order: UploadOrder = .capture, rule: UploadRule = UploadRule(), holdsWhenMetered: Bool = false,
        stallSeconds: Double = neverStalls
    ) -> UploadTarget {
        UploadTarget(
            name: name, destination: destination, workers: workers, order: order, rule: rule,
            holdsWhenMetered: holdsWhenMetered, stallSeconds: stallSeconds
        ) { $0.record.object.name }
    }

    func service(
        _ targets: [UploadTarget], policy: UploadModePolicy = UploadModePolicy(),
        keep: RetentionRule = .forever, store: LedgerStore? = nil,
        clock: HostClock? = nil, logger: Logger? = nil,
        isMetered: @escaping @Sendable () async -> Bool = { false }
    ) async throws -> UploadService {
        try await UploadService(
            settings: UploadSettings(
                policy: policy, keep: keep, stateDirectory: folder, reserveBytes: 64 * 1024,
                isMetered: isMetered),
            targets: targets, store: store ?? self.store, clock: clock ?? time.clock,
            logger: logger ?? quiet
        ) { self.record($0) }
    }

    /// Records an event of a service.
    func record(_ event: UploadEvent) {
        events.add(event)
        if case .job(let job, _) = event, job.state == .delivered { deliveries.add(job.id) }
    }

    /// Advances the clock until the condition is true. The function pauses between two advances, because the
    /// service may start to sleep only after an advance.
    func advanceClock(by seconds: Double, until condition: @Sendable () -> Bool) async throws {
        while !condition() {
            time.advance(seconds)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Advances the clock a number of times.
    func advanceClock(by seconds: Double, times: Int) async throws {
        for _ in 0..<times {
            time.advance(seconds)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Runs a service during `body`, then cancels it and waits for its end.
    func running(_ service: UploadService, _ body: () async throws -> Void) async throws {
        let task = Task { try await service.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    /// Waits until a number of jobs is in a state, according to the last event of each job.
    ///
    /// For `.delivered`, waits for a number of deliveries. A job that is delivered twice counts twice.
    func wait(for count: Int, in state: UploadJob.State) async {
        if state == .delivered { return await deliveries.wait { $0.count >= count } }
        await events.wait { events in events.jobs.values.count { $0.state == state } >= count }
    }

    /// Blocks the ledger's writer during `body`. The changes that wait at the end of `body` then share one
    /// commit, in their order.
    func blockingWriter<Value>(_ body: () async throws -> Value) async throws -> Value {
        let gate = DispatchSemaphore(value: 0)
        let (started, startedSink) = AsyncStream<Void>.makeStream()
        _ = Task { [store] in
            try await store.applyToUploads(
                .due, filter: UploadFilter(ids: []),
                onCommit: { _ in
                    startedSink.finish()
                    gate.wait()
                })
        }
        for await _ in started {}
        defer { gate.signal() }
        return try await body()
    }

    /// Waits until at least this number of changes waits for the blocked writer.
    func waitForChanges(_ count: Int) async throws {
        try await eventually("\(count) waiting changes") { store.changesWaiting >= count ? () : nil }
    }

    /// Waits until a number of uploads has reported progress. Their first reports then precede the test's
    /// next step, such as an advance of the clock.
    func waitForProgress(of count: Int) async {
        await events.wait { events in
            let jobs: [JobID] = events.compactMap { event in
                if case .progress(let job, _) = event { job.id } else { nil }
            }
            return Set(jobs).count >= count
        }
    }
}

extension UploadEvent {
    /// Returns whether the event reports a job in this state.
    func isJob(in state: UploadJob.State) -> Bool {
        if case .job(let job, _) = self { job.state == state } else { false }
    }
}

extension [UploadEvent] {
    /// The last reported state of each job.
    var jobs: [JobID: UploadJob] {
        reduce(into: [:]) { jobs, event in
            if case .job(let job, _) = event { jobs[job.id] = job }
            if case .dropped(let job, _) = event { jobs[job.id] = nil }
        }
    }

    /// The raised conditions by their codes.
    var conditions: [String: Condition] {
        reduce(into: [:]) { conditions, event in
            if case .raised(let condition) = event { conditions[condition.code] = condition }
            if case .cleared(let kind, _) = event { conditions[kind.rawValue] = nil }
        }
    }
}
