import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// A queue of photos for one destination, and the service that uploads them.
final class WaitingUploads: Sendable {
    let count: Int

    let captures: String
    let photos: [UploadItem]
    let store: LedgerStore
    private let scratch: ScratchFolder
    private let failures = Mutex<[String]>([])
    private let state = Mutex(DestinationState.ready)
    private let conditions = Mutex<[String: Condition]>([:])
    private let delivered = Mutex<[JobID: String]>([:])

    init(
        _ count: Int = 40, bytes: Int = 20_000, sizes: [Int] = [], names: [String] = ["IMG_N.JPG"],
        in scratch: ScratchFolder
    ) async throws {
        self.count = count
        self.scratch = scratch
        captures = scratch.path("captures")
        try FileManager.default.createDirectory(atPath: captures, withIntermediateDirectories: true)
        store = try LedgerStore(path: scratch.path("ledger.sqlite"))
        photos = try TestPhotos(
            count, bytes: bytes, sizes: sizes, names: names, folders: [""], in: scratch
        ).items
        let seen = try await store.recordSeen(
            photos.map {
                CameraObject(folder: "/store_1/A", name: $0.remoteName, size: $0.bytes, cameraTime: nil)
            }, camera: "camera", session: nil, at: Date())
        let (captures, byName) = (
            captures, Dictionary(uniqueKeysWithValues: photos.map { ($0.remoteName, $0) })
        )
        let arrivals = seen.compactMap { record in
            byName[record.object.name].map {
                Arrival(id: record.id, bytes: $0.bytes, sha256: $0.sha256, transferMs: 1)
            }
        }
        let naming = LedgerStore.NamingPolicy(
            counterScope: { "\($0.id)" }, path: { record, _ in "\(captures)/\(record.object.name)" },
            pairSettleSeconds: 0)
        for record in try await store.beginPublishing(arrivals, naming: naming) {
            let photo = try #require(byName[record.object.name])
            try FileManager.default.copyItem(atPath: photo.localPath, toPath: try #require(record.path))
        }
        try await store.finishPublishing(seen.map(\.id), at: Date())
    }

    /// Runs the service during `body`, then cancels the service and waits for its end.
    ///
    /// - Parameter folder: The photos' folder at the destination, with a final slash.
    func running(
        _ destination: any UploadDestination, memory: DestinationMemory = DestinationMemory(),
        isNameChosen: Bool = true, folder: String = "", workers: Int = 16, bytesPerSecond: UInt64? = nil,
        _ body: (UploadService) async throws -> Void
    ) async throws {
        let target = UploadTarget(
            name: "place", destination: destination, memory: memory, workers: workers,
            bytesPerSecond: bytesPerSecond, isNameChosen: isNameChosen
        ) {
            folder + $0.record.object.name
        }
        let service = try await UploadService(
            settings: UploadSettings(stateDirectory: scratch.path("state"), reserveBytes: 4096),
            targets: [target], store: store, clock: .fast,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [self] in record($0) }
        let task = Task { try await service.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    private func record(_ event: UploadEvent) {
        switch event {
        case .job(let job, _) where job.state == .failed:
            failures.withLock { $0.append(job.sentence ?? "failed") }
        case .job(let job, _) where job.state == .delivered:
            delivered.withLock { $0[job.id] = job.delivery?.remoteName }
        case .state(_, let new): state.withLock { $0 = new }
        case .raised(let condition): conditions.withLock { $0[condition.code] = condition }
        case .cleared(let kind, _): conditions.withLock { $0[kind.rawValue] = nil }
        default: break
        }
    }

    func isRefused() -> Bool { state.withLock { $0 } == .refusing }
    func condition(_ code: String) -> Condition? { conditions.withLock { $0[code] } }

    /// The results for the photos so far.
    var outcome: Outcome {
        Outcome(
            delivered: delivered.withLock { Array($0.values) }, failed: failures.withLock { $0 },
            conditions: conditions.withLock { $0.values.map { "\($0.sentence) → \($0.nextStep)" } })
    }

    struct Outcome {
        /// The names at the destination.
        var delivered: [String]
        /// The sentences of failed photos.
        var failed: [String]
        /// The sentences and next steps of active conditions.
        var conditions: [String]
    }

    /// Expects that all photos are delivered, and that no photo failed at any time.
    func expectAllDelivered(
        at place: DestinationServer? = nil, sourceLocation: SourceLocation = #_sourceLocation
    )
        async throws
    {
        try await eventually("all photos to be delivered", within: 120) {
            self.delivered.withLock(\.count) == self.count ? () : nil
        }
        #expect(failures.withLock { $0 } == [], sourceLocation: sourceLocation)
        let jobs = try await store.uploads(UploadFilter(), limit: 99)
        #expect(jobs.allSatisfy { $0.state == .delivered }, sourceLocation: sourceLocation)
        let names = Dictionary(uniqueKeysWithValues: photos.map { ($0.remoteName, $0) })
        let arrived = jobs.compactMap { job in
            names[job.remoteName].map {
                ($0, UploadReceipt(remoteName: job.delivery?.remoteName ?? "", proof: .size, evidence: ""))
            }
        }
        try await place?.expectExactly(arrived, sourceLocation: sourceLocation)
    }
}

extension HostClock {
    /// A clock that runs ten times faster. A pause of a minute takes six seconds.
    fileprivate static let fast: HostClock = {
        let start = Date()
        var clock = HostClock.system
        clock.now = { start.addingTimeInterval(Date().timeIntervalSince(start) * 10) }
        clock.uptime = { Date().timeIntervalSince(start) * 10 }
        clock.awakeTime = clock.uptime
        clock.sleep = { try await Task.sleep(for: .seconds($0 / 10)) }
        clock.sleepAwake = { try await Task.sleep(for: .seconds($0 / 10)) }
        return clock
    }()
}

/// A destination that rereads its secret on request, like a configured destination.
final class RenewedDestination: UploadDestination {
    private let make: @Sendable () throws -> any UploadDestination
    private let place: Mutex<any UploadDestination>

    init(_ make: @escaping @Sendable () throws -> any UploadDestination) throws {
        self.make = make
        place = Mutex(try make())
    }

    private var now: any UploadDestination { place.withLock { $0 } }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt { try await now.upload(item, progress: progress) }

    func probe() async throws(UploadFailure) { try await now.probe() }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await now.remove(probe, named: name)
    }

    func renewCredentials() async {
        guard let new = try? make() else { return }
        let old = place.withLock { place in
            defer { place = new }
            return place
        }
        await old.close()
    }

    func close() async { await now.close() }
}
