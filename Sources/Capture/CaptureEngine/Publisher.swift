import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle
import Store
import SystemPackage

/// A service that makes fetched photos durable and moves them to their final names, in rounds. The publisher
/// renames and records one round while it writes the bytes of the next round. Each round has two commits and
/// one sync of each folder, regardless of the number of photos.
///
/// The publisher performs these steps for each photo:
///
/// 1. Check the structure of the file.
/// 2. `fsync` the file.
/// 3. Record the photo's number, RAW or JPEG partner, and final name in the ledger.
/// 4. Rename the file without replacing an existing file.
/// 5. `fsync` the folder.
/// 6. Record the state `saved` in the ledger.
///
/// ``StartupRepair`` recovers from a crash at any point.
public actor Publisher: Service {
    /// The result of publishing a photo.
    enum Outcome: Sendable {
        /// The photo is durable on the disk and in the ledger.
        case saved(CaptureRecord)
        /// The photo equals a saved photo. Nothing was published, and the `.part` file was removed.
        case duplicate(CaptureRecord)
        /// The bytes look incomplete or damaged. The `.part` file still exists.
        case damaged(String)
        /// A system call failed. The `.part` file was removed, and the photo must be fetched again.
        case failed(SystemCallError)
        /// The ledger cannot be written, the publisher has stopped, or another photo with the same bytes is
        /// still being published. The photo is not treated as saved. A file without its final name was
        /// removed. ``StartupRepair`` records files that already have their names.
        case unrecorded
    }

    /// A photo with the result for its caller.
    private struct Entry {
        var item: Item
        var result: AsyncResult<Outcome>
    }

    /// The maximum number of photos in one round. The limit bounds the time for which the first photo of a
    /// round waits for the last photo.
    private static let roundMax = 32
    /// The pause between two attempts to record photos that are already on the disk.
    private static let ledgerPause: Duration = .seconds(1)

    let ledger: LedgerStore
    let disk: PhotoDisk
    private let naming: CaptureNaming
    private let ledgerCondition: LedgerCondition
    let logger: Logger
    let clock: HostClock
    /// The photos on the disk that may be missing in the ledger because an earlier ledger was lost.
    private let photosOnDisk: PhotosOnDisk
    private var waiting: [Entry] = []
    /// The photos that are intact and durable and do not have their final names yet.
    private var onDisk: [Entry] = []
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let (namingWakes, wakeNaming) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private var isClosed = false
    private var isStoppingRetries = false

    init(
        ledger: LedgerStore, settings: CaptureSettings, folders: WorkFolders, naming: CaptureNaming,
        ledgerCondition: LedgerCondition, sync: DiskSync = DiskSync(), logger: Logger,
        clock: HostClock
    ) {
        photosOnDisk = PhotosOnDisk(directory: settings.directory, ledger: ledger)
        disk = PhotoDisk(root: settings.directory, folders: folders, sync: sync)
        self.ledger = ledger
        self.ledgerCondition = ledgerCondition
        self.naming = naming
        self.logger = logger
        self.clock = clock
    }

    /// Publishes photos until the service stops. The publisher stops after the cameras and finishes all
    /// photos that it received from them.
    public func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.runNaming() }
            await withGracefulShutdownHandler {
                for await _ in wakes { await checkWaiting() }
            } onGracefulShutdown: { [wake] in
                wake.finish()
            }
            wakeNaming.finish()
        }
        while !(waiting.isEmpty && onDisk.isEmpty) {
            await checkWaiting()
            await nameWaiting()
        }
        isClosed = true
    }

    private func runNaming() async {
        for await _ in namingWakes { await nameWaiting() }
    }

    /// Stops retrying failed ledger writes, because the service stops.
    func stopRetrying() { isStoppingRetries = true }

    private func checkWaiting() async {
        while !waiting.isEmpty {
            let round = Array(waiting.prefix(Self.roundMax))
            waiting.removeFirst(round.count)
            onDisk += await checkRound(round)
            wakeNaming.yield()
        }
    }

    private func nameWaiting() async {
        while !onDisk.isEmpty {
            let round = Array(onDisk.prefix(Self.roundMax))
            onDisk.removeFirst(round.count)
            await publish(round)
        }
    }

    /// Queues a photo for publishing. Photos are numbered in the order of these calls.
    ///
    /// - Returns: The outcome, which is set when the photo is published or rejected.
    func enqueue(_ item: Item) -> AsyncResult<Outcome> {
        let outcome = AsyncResult<Outcome>()
        guard !isClosed else {
            try? DurableFile.remove(item.partPath)
            outcome.set(.unrecorded)
            return outcome
        }
        waiting.append(Entry(item: item, result: outcome))
        wake.yield()
        return outcome
    }

    // MARK: one round

    /// Checks the photos of a round and forces their bytes to the disk. Sets the results of photos that are
    /// damaged or that failed.
    ///
    /// - Returns: The intact photos.
    private func checkRound(_ round: [Entry]) async -> [Entry] {
        var whole: [Entry] = []
        let checks = await disk.checkAndSync(round.map(\.item))
        for (entry, check) in zip(round, checks) {
            switch check {
            case .success(.whole): whole.append(entry)
            case .success(.damaged(let how)): entry.result.set(.damaged(how))
            case .failure(let error): entry.result.set(drop(entry.item, error))
            }
        }
        return whole
    }

    /// Records the photos of a round in the ledger and moves them to their names.
    private func publish(_ round: [Entry]) async {
        guard !round.isEmpty else { return }
        var whole = round
        for index in whole.indices where whole[index].item.mayBeOnDisk {
            whole[index].item.arrival.foundAt = await photosOnDisk.claimFile(of: whole[index].item.arrival)
        }
        let records: [CaptureRecord]
        do {
            records = try await ledger.beginPublishing(whole.map(\.item.arrival), naming: naming.policy)
        } catch {
            logger.error("cannot write to the ledger", metadata: ["reason": "\(error)"])
            ledgerCondition.raise(error)
            for entry in whole {
                try? DurableFile.remove(entry.item.partPath)
                entry.result.set(.unrecorded)
            }
            return
        }
        SimulatedHost.pass(.namesPlanned)
        let byID = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        var planned: [(record: CaptureRecord, entry: Entry)] = []
        for entry in whole {
            guard let record = byID[entry.item.arrival.id] else {
                let missing = SystemCallError(
                    call: "find", subject: "photo in the ledger", errno: .noSuchFileOrDirectory)
                entry.result.set(drop(entry.item, missing))
                continue
            }
            switch record.state {
            case .publishing: planned.append((record, entry))
            case .duplicate:
                SimulatedHost.pass(.duplicateRecorded)
                try? DurableFile.remove(entry.item.partPath)
                entry.result.set(.duplicate(record))
            default:
                if let original = record.duplicateOf, byID[original] != nil {
                    // This round also contains the original of the photo. The photo waits for the next round,
                    // because the result for the original is not known yet.
                    onDisk.append(entry)
                } else {
                    // ``StartupRepair`` has not completed the original yet. The photo is fetched again, or
                    // its record is deleted. Remove the part file, because a deleted record would leave it
                    // behind.
                    try? DurableFile.remove(entry.item.partPath)
                    entry.result.set(.unrecorded)
                }
            }
        }
        let found = Set(planned.filter { $0.record.path == $0.entry.item.arrival.foundAt }.map(\.record.id))
        await finish(await moveToNames(planned), found: found)
    }

    /// Moves photos to their final names. Sets the results of photos that failed.
    ///
    /// - Returns: The moved photos, and the photos whose files were already on the disk.
    private func moveToNames(_ planned: [(record: CaptureRecord, entry: Entry)]) async
        -> [(record: CaptureRecord, result: AsyncResult<Outcome>)]
    {
        var done: [(record: CaptureRecord, result: AsyncResult<Outcome>)] = []
        for (record, entry) in planned where record.path == entry.item.arrival.foundAt {
            logger.notice("found on disk: already saved", metadata: ["path": "\(record.path ?? "")"])
            try? DurableFile.remove(entry.item.partPath)
            done.append((record, entry.result))
        }
        let planned = planned.filter { $0.record.path != $0.entry.item.arrival.foundAt }
        let names = await disk.publish(
            planned.map { (part: $0.entry.item.partPath, path: $0.record.path ?? "") })
        for ((record, entry), name) in zip(planned, names) {
            do {
                let isFree = try name.get()
                let named = isFree ? record : try await renameWithSuffix(record, entry.item.partPath)
                done.append((named, entry.result))
            } catch {
                await withdraw(record)
                entry.result.set(drop(entry.item, Self.systemError(error)))
            }
        }
        return done
    }

    /// Moves a file to the planned name with the first free suffix. Called if a file that is not in the
    /// ledger already has the planned name.
    private func renameWithSuffix(_ planned: CaptureRecord, _ partPath: String) async throws -> CaptureRecord
    {
        var record = planned
        var suffix = 2
        while let path = planned.path {
            record = try await ledger.renamePublishing(record, to: NamingTemplate.path(path, suffix: suffix))
            SimulatedHost.pass(.suffixRecorded)
            if let path = record.path, try await disk.publish(partPath, as: path) { break }
            suffix += 1
        }
        return record
    }

    /// Records the moved photos as saved.
    ///
    /// - Parameter found: The photos whose files were already on the disk. These files are never removed.
    private func finish(
        _ done: [(record: CaptureRecord, result: AsyncResult<Outcome>)],
        found: Set<CaptureID>
    ) async {
        let failed = await disk.sync(PhotoDisk.folders(of: done.compactMap(\.record.path)))
        SimulatedHost.pass(.namesSynced)
        var saved: [(record: CaptureRecord, result: AsyncResult<Outcome>)] = []
        for entry in done {
            let path = entry.record.path ?? ""
            guard let error = failed[PhotoDisk.folder(of: path)] else {
                saved.append(entry)
                continue
            }
            // The name may be lost in a power failure. The photo is not saved, and its file is removed.
            if !found.contains(entry.record.id) {
                disk.remove(path)
                SimulatedHost.pass(.unsyncedPhotoRemoved)
            }
            await withdraw(entry.record)
            entry.result.set(.failed(Self.systemError(error)))
        }
        let now = clock.now()
        guard !saved.isEmpty else { return }
        let isRecorded = await retryLedgerWrite { [ids = saved.map(\.record.id)] in
            try await self.ledger.finishPublishing(ids, at: now)
        }
        if isRecorded { SimulatedHost.pass(.photosRecorded) }
        for var entry in saved {
            guard isRecorded else {
                entry.result.set(.unrecorded)
                continue
            }
            entry.record.state = .saved
            entry.record.savedAt = now
            entry.result.set(.saved(entry.record))
        }
    }

    // MARK: failures

    /// Saves the received bytes of a damaged photo durably in the folder of set-aside photos.
    ///
    /// - Parameter isOnlyHere: Whether the bytes become the only copy of the photo. If a file with the name
    ///   already exists, `true` saves the bytes under another name, and `false` deletes the bytes.
    /// - Throws: ``SystemCallError`` if the bytes could not be saved durably. The `.part` file is then
    ///   removed.
    func keepAside(_ partPath: String, as path: String, isOnlyHere: Bool) async throws(SystemCallError) {
        do {
            try await disk.keep(partPath, as: path, isOnlyHere: isOnlyHere)
        } catch {
            try? DurableFile.remove(partPath)
            throw Self.systemError(error)
        }
    }

    private func drop(_ item: Item, _ error: any Error) -> Outcome {
        try? DurableFile.remove(item.partPath)
        return .failed(Self.systemError(error))
    }

    private func withdraw(_ record: CaptureRecord) async {
        let isRecorded = await retryLedgerWrite { try await self.ledger.returnToSeen(id: record.id) }
        if isRecorded { SimulatedHost.pass(.photoWithdrawn) }
    }

    /// Retries a ledger write until the write succeeds, because the disk already has the new state. If the
    /// service stops first, ``StartupRepair`` makes the same change at the next start.
    ///
    /// - Returns: Whether the write succeeded.
    private func retryLedgerWrite(_ write: @Sendable () async throws -> Void) async -> Bool {
        while true {
            do {
                try await write()
                ledgerCondition.clear()
                return true
            } catch {
                logger.error("cannot write to the ledger, trying again", metadata: ["reason": "\(error)"])
                ledgerCondition.raise(error)
            }
            guard !isStoppingRetries, (try? await clock.sleep(for: Self.ledgerPause)) != nil else {
                return false
            }
        }
    }

    private static func systemError(_ error: any Error) -> SystemCallError {
        error as? SystemCallError
            ?? SystemCallError(call: "publish", subject: String(describing: error), errno: .ioError)
    }
}
