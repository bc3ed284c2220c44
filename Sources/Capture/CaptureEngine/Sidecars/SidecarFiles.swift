import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage

/// Writes what lies beside photos. The ledger knows a sidecar before the disk has it, and by its bytes: what people have
/// edited, and what was there before, stays as it is.
struct SidecarFiles: Sendable {
    /// Threads that write and fsync: enough to share the journal's commits.
    private static let threads = 4
    /// As photos have them.
    private static let mode: UInt32 = 0o640

    /// What photos get; `nil` for nothing.
    let policy: SidecarPolicy?
    let ledger: LedgerStore
    let parts: PartFiles
    /// Whether the disk of the capture directory is away: then nothing is made on the one underneath.
    let isAway: @Sendable () -> Bool
    let logger: Logger
    private let pool = BlockingPool(label: "sidecars", width: threads)

    init(
        policy: SidecarPolicy?, ledger: LedgerStore, parts: PartFiles,
        isAway: @escaping @Sendable () -> Bool, logger: Logger
    ) {
        self.policy = policy.flatMap { $0.isOff ? nil : $0 }
        self.ledger = ledger
        self.parts = parts
        self.isAway = isAway
        self.logger = logger
    }

    /// Whether files are looked at for their stars.
    var needsRating: Bool { policy.map { $0.xmp != .off } ?? false }

    // MARK: a photo that gets its name

    /// Puts sidecars beside photos that are about to have their names: who sees a photo sees its sidecar. What cannot be
    /// written is written later; no photo waits for it.
    func place(beside ids: [CaptureID]) async {
        guard let policy, !ids.isEmpty else { return }
        let now = Date()
        let planned: [LedgerStore.SidecarToWrite]
        do {
            planned = try await ledger.planSidecars(of: ids) { photo, words in
                try SidecarKind.allCases.compactMap { kind in
                    guard let path = policy.path(of: kind, beside: photo.record) else { return nil }
                    let bytes = try policy.bytes(of: kind, for: photo, words, madeAt: now)
                    let record = SidecarRecord(
                        captureID: photo.id, kind: kind, path: path, written: PhotoHash.sha256(of: bytes),
                        madeAt: now)
                    return (record, bytes)
                }
            }
        } catch {
            logger.error("cannot plan sidecars", metadata: ["reason": "\(error)"])
            return
        }
        let outcomes = await write(planned)
        await postpone(
            outcomes.filter { if case .success(false) = $0.1 { true } else { false } }, isTaken: true)
        await postpone(outcomes.filter { if case .failure = $0.1 { true } else { false } }, isTaken: false)
    }

    /// Takes away what was put beside a photo that did not get its name after all.
    func withdraw(from id: CaptureID) async {
        do {
            let sidecars = try await ledger.sidecars(of: [id])
            guard !sidecars.isEmpty else { return }
            for sidecar in sidecars {
                try await pool.run { try OwnFile.remove(sidecar.path, isOurs: sidecar.isOurs) }
            }
            try await ledger.forgetSidecars(of: [id])
        } catch {
            logger.warning("cannot take a sidecar away", metadata: ["reason": "\(error)"])
        }
    }

    /// Goes on with what a crash interrupted: a photo that is about to have its name has its sidecars.
    func resume(beside id: CaptureID) async {
        let sidecars = (try? await ledger.sidecars(of: [id])) ?? []
        for sidecar in sidecars where await look(sidecar.path, sidecar) != .ours {
            return await place(beside: [id])
        }
        if sidecars.isEmpty { await place(beside: [id]) }
    }

    private typealias Outcome = (SidecarRecord, Result<Bool, any Error>)

    private func write(_ planned: [LedgerStore.SidecarToWrite]) async -> [Outcome] {
        guard !planned.isEmpty else { return [] }
        let away = SystemCallError(call: "save to", subject: parts.folder, errno: .noSuchAddressOrDevice)
        guard !isAway() else { return planned.map { ($0.record, .failure(away)) } }
        return await withTaskGroup(of: Outcome.self) { group in
            for sidecar in planned {
                group.addTask {
                    await pool.run {
                        (
                            sidecar.record,
                            Result {
                                let path = sidecar.record.path
                                try DurableFile.createFolder(DurableFile.parent(of: path))
                                return try OwnFile.place(
                                    grow(sidecar), as: path, isOurs: sidecar.record.isOurs)
                            }
                        )
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func postpone(_ outcomes: [Outcome], isTaken: Bool) async {
        guard !outcomes.isEmpty else { return }
        for (sidecar, outcome) in outcomes {
            if case .failure(let error) = outcome {
                logger.warning(
                    "cannot write a sidecar", metadata: ["path": "\(sidecar.path)", "reason": "\(error)"])
            }
        }
        do { try await ledger.postponeSidecars(outcomes.map(\.0), isTaken: isTaken) } catch {
            logger.error("cannot write the ledger", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: one that is out of date

    /// What became of a sidecar that may be out of date.
    enum Renewal: Hashable, Sendable {
        /// It says what is so.
        case done
        /// Its photo is not there, or the disk does not take it: it is looked at again.
        case later
        /// It was edited, and stays as it is.
        case edited
        /// Its name was another file's before.
        case taken
    }

    /// Has a sidecar say what is so now, as long as its bytes are ours.
    func renew(_ sidecar: SidecarRecord) async throws -> Renewal {
        guard let policy, let (photo, words) = try await ledger.said(of: sidecar.captureID),
            let path = policy.path(of: sidecar.kind, beside: photo.record), let file = photo.record.path
        else {
            // None is wanted any more: what is there stays as it is.
            _ = try await ledger.beginSidecar(sidecar) { _, _, _ in nil }
            return .done
        }
        guard await pool.run({ DurableFile.isRegular(file) }) else { return .later }
        let finding = await look(path, sidecar)
        let before = try policy.bytes(of: sidecar.kind, for: photo, words, madeAt: sidecar.madeAt)
        let saysSo =
            sidecar.next == nil && path == sidecar.path && PhotoHash.sha256(of: before) == sidecar.written
        switch finding {
        case .ours where saysSo, .other where saysSo:
            _ = try await ledger.beginSidecar(sidecar) { _, _, _ in nil }
            return .done
        case .other: return sidecar.written == nil ? .taken : .edited
        case nil: return .later
        case .ours, .missing: return try await rewrite(sidecar, policy, isThere: finding == .ours)
        }
    }

    private func rewrite(
        _ sidecar: SidecarRecord, _ policy: SidecarPolicy, isThere: Bool
    ) async throws -> Renewal {
        let now = Date()
        let begun = try await ledger.beginSidecar(sidecar) { known, photo, words in
            guard let path = policy.path(of: known.kind, beside: photo.record) else { return nil }
            let bytes = try policy.bytes(of: known.kind, for: photo, words, madeAt: now)
            var record = known
            (record.path, record.next, record.madeAt) = (path, PhotoHash.sha256(of: bytes), now)
            return (record, bytes)
        }
        guard let begun else { return .done }
        let isWritten = try await pool.run {
            let part = try grow(begun)
            return isThere
                ? try OwnFile.replace(begun.record.path, with: part, isOurs: begun.record.isOurs)
                : try OwnFile.place(part, as: begun.record.path, isOurs: begun.record.isOurs)
        }
        guard isWritten else {
            try await ledger.postponeSidecars([begun.record], isTaken: false)
            return .later
        }
        if !isThere {
            try await pool.run {
                try DurableFile.syncFolder(DurableFile.parent(of: begun.record.path))
            }
        }
        try await ledger.endSidecar(begun.record)
        return .done
    }

    /// `nil` when it cannot be looked at.
    private func look(_ path: String, _ sidecar: SidecarRecord) async -> OwnFile.Finding? {
        await pool.run { try? OwnFile.look(path, isOurs: sidecar.isOurs) }
    }

    /// Writes a sidecar's bytes through to the disk, in a file without its name.
    private func grow(_ sidecar: LedgerStore.SidecarToWrite) throws -> String {
        let part = parts.sidecarPath(sidecar.record.captureID, sidecar.record.kind)
        try DurableFile.remove(part)
        try DurableFile.write(sidecar.bytes, new: part, mode: Self.mode)
        return part
    }
}

extension SidecarRecord {
    /// Whether bytes are those that were written.
    fileprivate func isOurs(_ bytes: [UInt8]) -> Bool { ours.contains(PhotoHash.sha256(of: bytes)) }
}
