import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import TextForms

/// What a sealing did.
public struct SealOutcome: Hashable, Sendable {
    /// The folder that has the history.
    public var folder: String
    /// Number of the new generation; `nil` when nothing was new.
    public var generation: Int?
    /// Name of its file.
    public var name: String?
    /// Photos in it.
    public var sealed = 0
    /// Photos that were read for it.
    public var read = 0
    /// Photos that wait for their second reading.
    public var awaitingReread = 0
    /// Photos that lie elsewhere, are not there, or were changed since they were saved.
    public var leftOut = 0
}

/// Records what is new in a folder in its next generation.
struct ManifestSealing: Sendable {
    /// Threads that read and write manifests: one, they are small and wait for the disk.
    private static let pool = BlockingPool(label: "manifests", width: 1)

    let ledger: LedgerStore
    let creator: ManifestCreator
    let history: ManifestHistory
    let logger: Logger
    /// What time it is.
    var now: @Sendable () -> Date = { Date() }

    /// Brings folder and ledger in step: a generation that a crash cut short is completed, one that the ledger does not know
    /// is read once.
    func takeIn() async throws -> ManifestChain {
        var known = try await ledger.generations(of: history.root)
        if !known.isEmpty, !history.exists {
            logger.notice(
                "the manifests are gone: a new history begins", metadata: ["folder": "\(history.root)"])
            try await ledger.forgetGenerations(of: history.root)
            known = []
        }
        let chain = try await Self.pool.run { [known, history] in try history.open(known: known) }
        let newest = known.last?.number ?? 0
        for generation in chain.generations where generation.number > newest {
            let records = try await Self.pool.run { [history] in try history.records(of: generation) }
            try await ledger.enter(
                generation, of: history.root, paths: records.map { history.root + "/" + $0.path })
        }
        return chain
    }

    /// Seals what is new.
    func seal(comment: String?) async throws -> SealOutcome {
        let chain = try await takeIn()
        let photos = try await ledger.unsealed(below: history.root)
        let awaiting = photos.filter { $0.verified == .awaitingReread }
        let date = now()
        let (records, read) = await Self.pool.run { [history, logger] in
            var read = 0
            let records = photos.filter { $0.verified != .awaitingReread }.compactMap { photo in
                Self.record(photo, of: history, at: date, &read, logger)
            }
            return (records, read)
        }
        var outcome = SealOutcome(folder: history.root)
        outcome.awaitingReread = awaiting.count
        outcome.leftOut = photos.count - awaiting.count - records.count
        outcome.read = read
        guard !records.isEmpty else { return outcome }
        let generation = try await append(
            Manifest(
                creator: creator, createdAt: date, comment: comment, process: .transfer, records: records),
            to: chain)
        outcome.generation = generation.number
        outcome.name = generation.name
        outcome.sealed = records.count
        return outcome
    }

    /// Writes a generation, and has the ledger take it in.
    func append(_ manifest: Manifest, to chain: ManifestChain) async throws -> LedgerStore.ManifestGeneration
    {
        try await ledger.beginSealing(of: history.root)
        let generation = try await Self.pool.run { [history] in try history.append(manifest, to: chain) }
        try await ledger.enter(
            generation, of: history.root, paths: manifest.records.map { history.root + "/" + $0.path })
        return generation
    }

    // MARK: verifying

    /// The first hash of each file that the chain's manifests record. All of them are read, and must be what the chain says.
    func originals(_ chain: ManifestChain) async throws -> OriginalHashes {
        try await Self.pool.run { [history] in
            var originals = OriginalHashes()
            for generation in chain.generations { originals.add(try history.records(of: generation)) }
            return originals
        }
    }

    /// Writes a generation of what a verification found.
    ///
    /// - Returns: `nil` when no file could be read.
    func append(
        _ outcomes: [FileVerification.Outcome], of records: [Manifest.Record], comment: String?
    ) async throws -> LedgerStore.ManifestGeneration? {
        let date = now()
        let found = zip(records, outcomes).compactMap { record, outcome -> Manifest.Record? in
            var found = record
            switch outcome {
            case .verified(let hash): (found.xxh128, found.action) = (hash, .verified)
            case .changed(let hash?): (found.xxh128, found.action) = (hash, .failed)
            case .changed(nil), .missing: return nil
            }
            found.modifiedAt = SealedFile.modified(history.root + "/" + record.path)
            found.hashedAt = date
            return found
        }
        guard !found.isEmpty else { return nil }
        return try await append(
            Manifest(creator: creator, createdAt: date, comment: comment, process: .inPlace, records: found),
            to: try await takeIn())
    }

    /// What a generation says of a photo; `nil` when the photo is left out. One whose hash was not kept is read, and must be
    /// what was saved.
    private static func record(
        _ photo: CaptureRecord, of history: ManifestHistory, at now: Date, _ read: inout Int, _ logger: Logger
    ) -> Manifest.Record? {
        guard let path = photo.path, let below = photo.path(below: history.root), XMLWriter.canSay(below),
            let modified = SealedFile.modified(path)
        else { return nil }
        var hash = photo.xxh128
        if hash == nil {
            history.probe.read(path)
            read += 1
            do throws(SystemCallError) {
                let hashes = try SealedFile.hash(path, withSHA256: true)
                guard hashes?.sha256 == photo.sha256 else {
                    logger.warning(
                        "left out of the manifest: changed since it was saved", metadata: ["path": "\(path)"])
                    return nil
                }
                hash = hashes?.xxh128
            } catch {
                logger.warning(
                    "left out of the manifest", metadata: ["path": "\(path)", "reason": "\(error)"])
                return nil
            }
        }
        return Manifest.Record(
            path: below, size: photo.bytes, modifiedAt: modified, xxh128: hash, action: .original,
            hashedAt: photo.xxh128 == nil ? now : photo.savedAt ?? now)
    }
}
