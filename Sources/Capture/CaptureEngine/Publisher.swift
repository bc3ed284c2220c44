import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle
import Store
import SystemPackage

/// Makes fetched photos durable and gives them their final names, several at a time: while these are written
/// through, the next ones are already coming in.
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
    /// Threads that check and fsync: enough to share the journal's commits.
    private static let threads = 4
    /// Pause before the ledger is tried again, when it refuses to write down what is already on disk.
    private static let ledgerPause: Duration = .seconds(1)

    private let ledger: LedgerStore
    private let settings: CaptureSettings
    private let folders: WorkFolders
    private let naming: CaptureNaming
    private let concern: LedgerConcern
    private let sync: DiskSync
    private let logger: Logger
    private let pool = BlockingPool(label: "publisher", width: threads)
    private var waiting: [Entry] = []
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    /// Folders whose own names are durable. Paths and no texts: Swift takes two names for one that differ in their
    /// Unicode form only, and the file system does not.
    private var durableFolders: [FilePath: DurableFile.Identity] = [:]
    private var isClosed = false
    private var isGivingUp = false

    init(
        ledger: LedgerStore, settings: CaptureSettings, folders: WorkFolders, naming: CaptureNaming,
        concern: LedgerConcern, sync: DiskSync = DiskSync(), logger: Logger
    ) {
        self.sync = sync
        self.folders = folders
        self.ledger = ledger
        self.concern = concern
        self.settings = settings
        self.naming = naming
        self.logger = logger
    }

    /// Publishes until the service stops: after the cameras, so what they handed over is finished.
    public func run() async throws {
        for await _ in wakes.cancelOnGracefulShutdown() { await publishWaiting() }
        await publishWaiting()
        isClosed = true
    }

    /// The service stops: a ledger that refuses is not insisted on any longer.
    func giveUp() { isGivingUp = true }

    private func publishWaiting() async {
        while !waiting.isEmpty {
            let round = Array(waiting.prefix(Self.roundMax))
            waiting.removeFirst(round.count)
            await publish(round)
        }
    }

    /// Hands over a photo and waits for what becomes of it.
    func publish(_ item: Item) async -> Outcome {
        guard !isClosed else { return .unrecorded }
        return await withCheckedContinuation { continuation in
            waiting.append(Entry(item: item, answer: continuation))
            wake.yield()
        }
    }

    // MARK: one round

    private func publish(_ round: [Entry]) async {
        var whole: [Entry] = []
        let checks = await each(round.map(\.item)) { [sync] in try Self.checkAndSync($0, sync) }
        for (entry, check) in zip(round, checks) {
            switch check {
            case .success(.whole): whole.append(entry)
            case .success(.damaged(let how)): entry.answer.resume(returning: .damaged(how))
            case .failure(let error): entry.answer.resume(returning: drop(entry.item, error))
            }
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
        var done: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)] = []
        for entry in whole {
            guard let record = byID[entry.item.arrival.id] else {
                let gone = SystemCallError(
                    call: "find", subject: "photo in the ledger", errno: .noSuchFileOrDirectory)
                entry.answer.resume(returning: drop(entry.item, gone))
                continue
            }
            switch record.state {
            case .publishing: break
            case .duplicate:
                try? DurableFile.remove(entry.item.partPath)
                entry.answer.resume(returning: .duplicate(record))
                continue
            default:
                if let twin = record.twinID, byID[twin] != nil {
                    // The next round knows what became of its twin in this one.
                    waiting.append(entry)
                } else {
                    entry.answer.resume(returning: .unrecorded)
                }
                continue
            }
            do {
                done.append((try await giveFinalName(record, entry.item.partPath), entry.answer))
            } catch {
                await withdraw(record)
                entry.answer.resume(returning: drop(entry.item, Self.systemError(error)))
            }
        }
        await finish(done)
    }

    private static func checkAndSync(_ item: Item, _ sync: DiskSync) throws -> StructureCheck.Verdict {
        let reader = try FileReader(item.partPath)
        guard reader.size == item.arrival.bytes else {
            return .damaged("it has \(reader.size) bytes on disk, \(item.arrival.bytes) came from the camera")
        }
        if let expected = item.expectedBytes, expected != reader.size {
            return .damaged("it has \(reader.size) bytes, the camera announced \(expected)")
        }
        let verdict = try StructureCheck.verdict(name: item.name, size: reader.size) { offset, count in
            try reader.read(at: offset, count: count)
        }
        guard verdict == .whole else { return verdict }
        try sync.file(item.partPath)
        return .whole
    }

    /// Moves a file to its final name, trying suffixes while names are taken by files that the ledger does not know.
    private func giveFinalName(_ planned: CaptureRecord, _ partPath: String) async throws -> CaptureRecord {
        var record = planned
        var suffix = 2
        while let path = record.path {
            try await prepareFolder(DurableFile.parent(of: path))
            if try await pool.run({ [path] in try DurableFile.publish(partPath, as: path) }) { return record }
            let next = NamingTemplate.path(planned.path ?? path, suffix: suffix)
            suffix += 1
            record = try await ledger.renamePublishing(record, to: next)
        }
        return record
    }

    /// Creates a photo's folder and makes all folders up to the capture directory durable: when it is new to this run,
    /// and when it is another one than before, because somebody moved or removed the first.
    private func prepareFolder(_ folder: String) async throws {
        // The disk may have gone since the photo was begun: nothing is made on the one underneath.
        if case .gone = folders.restore() {
            throw SystemCallError(
                call: "save to", subject: settings.directory, errno: .noSuchAddressOrDevice)
        }
        let key = FilePath(folder)
        let known = durableFolders[key]
        let root = settings.directory
        durableFolders[key] = try await pool.run {
            if let known, DurableFile.identity(of: folder) == known { return known }
            try DurableFile.createFolder(folder)
            try DurableFile.syncFolders(from: DurableFile.parent(of: folder), upTo: root)
            return DurableFile.identity(of: folder)
        }
    }

    private static func folder(of path: String) -> FilePath { FilePath(path).removingLastComponent() }

    /// The folders that files lie in, each once.
    static func folders(of paths: [String]) -> Set<FilePath> { Set(paths.map(folder(of:))) }

    private func finish(_ done: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)]) async
    {
        let order = Array(Self.folders(of: done.compactMap(\.record.path)))
        let synced = await each(order) { [sync] in try sync.folder($0.string) }
        let failed = Dictionary(
            zip(order, synced).compactMap { folder, result -> (FilePath, any Error)? in
                if case .failure(let error) = result { (folder, error) } else { nil }
            }
        ) { first, _ in first }
        var saved: [(record: CaptureRecord, answer: CheckedContinuation<Outcome, Never>)] = []
        for entry in done {
            let path = entry.record.path ?? ""
            guard let error = failed[Self.folder(of: path)] else {
                saved.append(entry)
                continue
            }
            // The name may not survive a power cut: not saved, so not there.
            durableFolders[Self.folder(of: path)] = nil
            try? DurableFile.remove(path)
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
        let isDone = try await pool.run { [sync] () throws -> Bool in
            try sync.file(item.partPath)
            switch try DurableFile.exists(path) ? PhotoHash.sha256(of: FileReader(path)) : nil {
            case right: break
            case wrong: try DurableFile.replace(path, with: item.partPath)
            default: return false
            }
            try sync.folder(DurableFile.parent(of: path))
            return true
        }
        guard !isDone else { return (path, item.arrival.bytes, right) }
        var name = path
        var suffix = 1
        while true {
            let isFree = if suffix == 1 { true } else { try await ledger.isFree(path: name) }
            try await prepareFolder(DurableFile.parent(of: name))
            if isFree, try await pool.run({ [name] in try DurableFile.publish(item.partPath, as: name) }) {
                break
            }
            suffix += 1
            name = NamingTemplate.path(path, suffix: suffix)
        }
        try await pool.run { [name, sync] in try sync.folder(DurableFile.parent(of: name)) }
        return (name, item.arrival.bytes, right)
    }

    // MARK: when something fails

    /// Keeps what came of a photo that is damaged, durably, beside the photos.
    ///
    /// - Parameter isOnlyHere: whether the camera has it no more: then it is kept beside an earlier copy, and not dropped.
    /// - Throws: when it may not be on the disk; the `.part` file is gone then.
    func keepAside(_ partPath: String, as path: String, isOnlyHere: Bool) async throws(SystemCallError) {
        do {
            try await pool.run { [sync] in
                try sync.file(partPath)
                var name = path
                var suffix = 2
                while try !DurableFile.publish(partPath, as: name) {
                    guard isOnlyHere else {
                        try DurableFile.remove(partPath)
                        break
                    }
                    name = NamingTemplate.path(path, suffix: suffix)
                    suffix += 1
                }
                try sync.folder(DurableFile.parent(of: path))
            }
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

    /// Runs `body` for each element on the pool's threads, all at once; results in order.
    private func each<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask { [pool] in
                    do { return (index, .success(try await pool.run { try body(element) })) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<Value, any Error>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func systemError(_ error: any Error) -> SystemCallError {
        error as? SystemCallError
            ?? SystemCallError(call: "publish", subject: String(describing: error), errno: .ioError)
    }
}
