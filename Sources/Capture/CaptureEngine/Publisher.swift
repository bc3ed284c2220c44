import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle
import Store
import SystemPackage

/// Makes fetched photos durable and gives them their final names, in rounds of what has arrived: while one round gets its
/// names and is written in the ledger, the bytes of the next one are already on their way to the disk. A round has two
/// commits and a sync of each folder, however many photos it has.
///
/// Order for each photo: structure checked → file fsynced → number, partner and name in the ledger → renamed
/// without replacing → folder fsynced → `saved` in the ledger. A crash anywhere is mended by ``StartupRepair``.
public actor Publisher: Service {
    /// A photo whose bytes are all in its `.part` file.
    struct Item: Sendable {
        var arrival: Arrival
        var name: String
        var partPath: String
        /// Bytes that the camera announced; `nil` when a second fetch gave the same bytes again: then the camera's
        /// word is wrong and the structure alone decides.
        var expectedBytes: UInt64?
        /// The time of the capture, which becomes the file's modification time.
        var takenAt: Date?
        /// Whether a ledger that was lost may have had the photo: then its bytes are looked for on the disk.
        var mayBeOnDisk = false
    }

    /// What became of it.
    enum Outcome: Sendable {
        /// On disk for good.
        case saved(CaptureRecord)
        /// The same photo as one that is saved, told of a second time; nothing is published, its `.part` file is gone.
        case duplicate(CaptureRecord)
        /// The bytes do not look whole; the `.part` file is still there.
        case damaged(String)
        /// The host failed; the `.part` file is gone and the photo must be fetched again.
        case failed(SystemCallError)
        /// The ledger cannot be written, and nothing says `saved` without it. What is on disk already is put in step
        /// by ``StartupRepair``.
        case unrecorded
    }

    /// A photo that somebody waits for.
    private struct Entry {
        var item: Item
        var answer: CheckedContinuation<Outcome, Never>
    }

    /// Most photos in one round: bounds how long the first waits for the last.
    private static let roundMax = 32
    /// Pause before the ledger is tried again, when it refuses to write down what is already on disk.
    private static let ledgerPause: Duration = .seconds(1)

    private let ledger: LedgerStore
    private let disk: PhotoDisk
    private let naming: CaptureNaming
    private let concern: LedgerConcern
    private let logger: Logger
    /// Photos of a ledger that was lost.
    private let photosOnDisk: PhotosOnDisk
    private var waiting: [Entry] = []
    /// What is whole and through to the disk, and has no name yet.
    private var onDisk: [Entry] = []
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let (namingWakes, wakeNaming) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private var isClosed = false
    private var isGivingUp = false

    init(
        ledger: LedgerStore, settings: CaptureSettings, folders: WorkFolders, naming: CaptureNaming,
        concern: LedgerConcern, sync: DiskSync = DiskSync(), logger: Logger
    ) {
        photosOnDisk = PhotosOnDisk(directory: settings.directory, ledger: ledger)
        disk = PhotoDisk(root: settings.directory, folders: folders, sync: sync)
        self.ledger = ledger
        self.concern = concern
        self.naming = naming
        self.logger = logger
    }

    /// Publishes until the service stops: after the cameras, so what they handed over is finished.
    public func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.nameUntilTheEnd() }
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

    private func nameUntilTheEnd() async {
        for await _ in namingWakes { await nameWaiting() }
    }

    /// The service stops: a ledger that refuses is not insisted on any longer.
    func giveUp() { isGivingUp = true }

    private func checkWaiting() async {
        while !waiting.isEmpty {
            let round = Array(waiting.prefix(Self.roundMax))
            waiting.removeFirst(round.count)
            onDisk += await checked(round)
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

    /// Photos that no round has taken yet.
    var waitingCount: Int { waiting.count }

    /// Hands over a photo and waits for what becomes of it.
    func publish(_ item: Item) async -> Outcome {
        guard !isClosed else { return .unrecorded }
        return await withCheckedContinuation { continuation in
            waiting.append(Entry(item: item, answer: continuation))
            wake.yield()
        }
    }

    // MARK: one round

    /// Checks a round and brings its bytes to the disk.
    ///
    /// - Returns: what is whole; the others are answered.
    private func checked(_ round: [Entry]) async -> [Entry] {
        var whole: [Entry] = []
        let checks = await disk.checkAndSync(round.map(\.item))
        for (entry, check) in zip(round, checks) {
            switch check {
            case .success(.whole): whole.append(entry)
            case .success(.damaged(let how)): entry.answer.resume(returning: .damaged(how))
            case .failure(let error): entry.answer.resume(returning: drop(entry.item, error))
            }
        }
        return whole
    }

    /// Gives what is on the disk its place in the ledger and its name.
    private func publish(_ round: [Entry]) async {
        guard !round.isEmpty else { return }
        var whole = round
        for index in whole.indices where whole[index].item.mayBeOnDisk {
            whole[index].item.arrival.foundAt = await photosOnDisk.take(whole[index].item.arrival)
        }
        let records: [CaptureRecord]
        do {
            records = try await ledger.beginPublishing(whole.map(\.item.arrival), naming: naming.policy)
        } catch {
            logger.error("cannot write the ledger", metadata: ["reason": "\(error)"])
            concern.failed(error)
            for entry in whole {
                try? DurableFile.remove(entry.item.partPath)
                entry.answer.resume(returning: .unrecorded)
            }
            return
        }
        let byID = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        var planned: [(record: CaptureRecord, entry: Entry)] = []
        for entry in whole {
            guard let record = byID[entry.item.arrival.id] else {
                let gone = SystemCallError(
                    call: "find", subject: "photo in the ledger", errno: .noSuchFileOrDirectory)
                entry.answer.resume(returning: drop(entry.item, gone))
                continue
            }
            switch record.state {
            case .publishing: planned.append((record, entry))
            case .duplicate:
                try? DurableFile.remove(entry.item.partPath)
                entry.answer.resume(returning: .duplicate(record))
            default:
                if let twin = record.twinID, byID[twin] != nil {
                    // The next round knows what became of its twin in this one.
                    onDisk.append(entry)
                } else {
                    entry.answer.resume(returning: .unrecorded)
                }
            }
        }
        let found = Set(planned.filter { $0.record.path == $0.entry.item.arrival.foundAt }.map(\.record.id))
        await finish(await named(planned), found: found)
    }

    /// Moves files to their final names.
    ///
    /// - Returns: those that have one; the others are answered.
    private func named(_ planned: [(record: CaptureRecord, entry: Entry)]) async
        -> [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)]
    {
        var done: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)] = []
        for (record, entry) in planned where record.path == entry.item.arrival.foundAt {
            logger.notice("found on disk: saved before", metadata: ["path": "\(record.path ?? "")"])
            try? DurableFile.remove(entry.item.partPath)
            done.append((record, entry.answer))
        }
        let planned = planned.filter { $0.record.path != $0.entry.item.arrival.foundAt }
        let names = await disk.publish(
            planned.map { (part: $0.entry.item.partPath, path: $0.record.path ?? "") })
        for ((record, entry), name) in zip(planned, names) {
            do {
                let isFree = try name.get()
                let named = isFree ? record : try await giveOtherName(record, entry.item.partPath)
                done.append((named, entry.answer))
            } catch {
                await withdraw(record)
                entry.answer.resume(returning: drop(entry.item, Self.systemError(error)))
            }
        }
        return done
    }

    /// Moves a file whose name is taken by one that the ledger does not know: to the first suffix that is free.
    private func giveOtherName(_ planned: CaptureRecord, _ partPath: String) async throws -> CaptureRecord {
        var record = planned
        var suffix = 2
        while let path = planned.path {
            record = try await ledger.renamePublishing(record, to: NamingTemplate.path(path, suffix: suffix))
            if let path = record.path, try await disk.publish(partPath, as: path) { break }
            suffix += 1
        }
        return record
    }

    /// Records what has its name as saved.
    ///
    /// - Parameter found: Photos whose files were on the disk before. They stay there in any case.
    private func finish(
        _ done: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)], found: Set<CaptureID>
    ) async {
        let failed = await disk.sync(PhotoDisk.folders(of: done.compactMap(\.record.path)))
        var saved: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)] = []
        for entry in done {
            let path = entry.record.path ?? ""
            guard let error = failed[PhotoDisk.folder(of: path)] else {
                saved.append(entry)
                continue
            }
            // The name may not survive a power cut: not saved, so not there.
            if !found.contains(entry.record.id) { disk.remove(path) }
            await withdraw(entry.record)
            entry.answer.resume(returning: .failed(Self.systemError(error)))
        }
        let now = Date()
        guard !saved.isEmpty else { return }
        let isRecorded = await insist { [ids = saved.map(\.record.id)] in
            try await self.ledger.finishPublishing(ids, at: now)
        }
        for var entry in saved {
            guard isRecorded else {
                entry.answer.resume(returning: .unrecorded)
                continue
            }
            entry.record.state = .saved
            entry.record.savedAt = now
            entry.answer.resume(returning: .saved(entry.record))
        }
    }

    // MARK: when the first reading was wrong

    /// Puts a photo's right bytes in the place of the wrong ones, durably.
    ///
    /// The file may be gone or changed by now: only what the first reading left is replaced, everything else stays, and
    /// the right bytes come to stand beside it.
    ///
    /// - Parameter wrong: SHA-256 of the file that is wrong.
    /// - Returns: where the right bytes are. The `.part` file is gone.
    func correct(
        _ record: CaptureRecord, with item: Item, wrong: String
    ) async throws -> (path: String, bytes: UInt64, sha256: String) {
        guard let path = record.path else {
            throw SystemCallError(call: "find", subject: "photo", errno: .noSuchFileOrDirectory)
        }
        let right = item.arrival.sha256
        let isDone = try await disk.replace(
            path, with: item.partPath, takenAt: item.takenAt, right: right, wrong: wrong)
        guard !isDone else { return (path, item.arrival.bytes, right) }
        var name = path
        var suffix = 1
        while true {
            let isFree = if suffix == 1 { true } else { try await ledger.isFree(path: name) }
            if isFree, try await disk.publish(item.partPath, as: name) { break }
            suffix += 1
            name = NamingTemplate.path(path, suffix: suffix)
        }
        try await disk.syncName(name)
        return (name, item.arrival.bytes, right)
    }

    // MARK: when something fails

    /// Keeps what came of a photo that is damaged, durably, beside the photos.
    ///
    /// - Parameter isOnlyHere: whether the camera has it no more: then it is kept beside an earlier copy, and not dropped.
    /// - Throws: when it may not be on the disk; the `.part` file is gone then.
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
        _ = await insist { try await self.ledger.returnToSeen(id: record.id) }
    }

    /// The disk already holds what the ledger must say: there is no way but to try again. When the service ends
    /// first, ``StartupRepair`` does the same from what is on disk.
    ///
    /// - Returns: whether the ledger says so now.
    private func insist(_ write: @Sendable () async throws -> Void) async -> Bool {
        while true {
            do {
                try await write()
                concern.works()
                return true
            } catch {
                logger.error("cannot write the ledger, trying again", metadata: ["reason": "\(error)"])
                concern.failed(error)
            }
            guard !isGivingUp, (try? await Task.sleep(for: Self.ledgerPause)) != nil else { return false }
        }
    }

    private static func systemError(_ error: any Error) -> SystemCallError {
        error as? SystemCallError
            ?? SystemCallError(call: "publish", subject: String(describing: error), errno: .ioError)
    }
}
