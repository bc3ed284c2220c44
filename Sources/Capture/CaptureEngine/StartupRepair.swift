import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store

/// A repair that reconciles the ledger with the disk after a crash.
///
/// The record of a photo in state `publishing` contains its final name. The publisher checked the photo's
/// bytes and forced them to the disk before it recorded the name. The rename is complete if the photo's
/// `.part` file is missing. It may also be complete if the `.part` file exists: on another file system, a
/// copy gets the name before the `.part` file is removed.
///
/// Files that cannot be read now stay unchanged and are checked again later. The service starts regardless of
/// the files on the disk. Only part files and their incomplete copies are removed. Other files belong to the
/// user.
struct StartupRepair: Sendable {
    let ledger: LedgerStore
    let parts: PartFiles
    /// The capture directory.
    let directory: String
    let logger: Logger
    let clock: HostClock
    /// Called with the body of a photo that must be fetched again, or read a second time. A repair may run
    /// while the camera is connected.
    var requestListing: @Sendable (BodyID) async -> Void = { _ in }
    /// Called with the record of each photo that the repair saved.
    var onSaved: @Sendable (CaptureRecord) -> Void = { _ in }

    /// The files and records that could not be reconciled.
    struct Leftovers: Hashable, Sendable {
        /// The photos whose files cannot be read, with the reason.
        var unclear: [CaptureID: String] = [:]
        /// The files in the part folder that are not part files, or that cannot be removed.
        var foreign: [String] = []
    }

    /// The result of a repair of one photo.
    private enum RepairResult {
        case saved
        case fetchAgain
        case unclear(String)
    }

    /// Reconciles photos whose publishing was interrupted, and removes the part files of other runs.
    ///
    /// - Parameter ids: The photos to reconcile, or `nil` for all photos.
    /// - Throws: An error of the ledger.
    func run(_ ids: Set<CaptureID>? = nil) async throws -> Leftovers {
        var leftovers = Leftovers()
        let (files, foreign) = parts.filesOfOtherRuns()
        let partsOf = Dictionary(grouping: files) { $0.id }
        var paths: [CaptureID: String] = [:]
        for record in try await ledger.interruptedPublishings() where ids?.contains(record.id) ?? true {
            paths[record.id] = record.path
            switch reconcile(record, parts: (partsOf[record.id] ?? []).map(\.path)) {
            case .saved:
                let now = clock.now()
                try await ledger.finishPublishing([record.id], at: now)
                SimulatedHost.pass(.repairRecorded)
                logger.notice(
                    "finished saving an interrupted photo", metadata: ["path": "\(record.path ?? "")"])
                var saved = record
                (saved.state, saved.savedAt, saved.failure) = (.saved, now, nil)
                onSaved(saved)
                if record.verified == .awaitingReread { await requestListing(record.bodyID) }
            case .fetchAgain:
                try await ledger.returnToSeen(id: record.id)
                SimulatedHost.pass(.repairReturned)
                logger.notice(
                    "fetching an interrupted photo again", metadata: ["name": "\(record.object.name)"])
                await requestListing(record.bodyID)
            case .unclear(let why):
                leftovers.unclear[record.id] = why
            }
        }
        leftovers.foreign = foreign
        // The part file of a photo that is not reconciled may be the only copy.
        for file in files where leftovers.unclear[file.id] == nil {
            // The service may have been killed while it copied the part file to a folder on another disk.
            var path = paths[file.id]
            if path == nil { path = try await ledger.capture(id: file.id)?.path }
            if let path { try? DurableFile.remove(DurableFile.copyPath(of: file.path, as: path)) }
            do {
                try DurableFile.remove(file.path)
                SimulatedHost.pass(.partFileRemoved)
            } catch { leftovers.foreign.append(file.name) }
        }
        leftovers.foreign.sort()
        return leftovers
    }

    private func reconcile(_ record: CaptureRecord, parts: [String]) -> RepairResult {
        guard let path = record.path else { return .fetchAgain }
        do {
            if let part = try parts.first(where: { try Self.matches($0, record) }) {
                // If both names are the same file, the service was killed between linking the final name
                // and removing the part file's name.
                if !DurableFile.areSame(part, path) {
                    try DurableFile.sync(part)
                    try DurableFile.createFolder(DurableFile.parent(of: path))
                    guard try DurableFile.publish(part, as: path, resumes: true) || Self.matches(path, record)
                    else { return .fetchAgain }
                    SimulatedHost.pass(.repairRenamed)
                }
            } else {
                guard parts.isEmpty, try Self.matches(path, record) else { return .fetchAgain }
            }
            try DurableFile.syncFolders(from: DurableFile.parent(of: path), upTo: directory)
            return .saved
        } catch {
            logger.warning(
                "cannot finish an interrupted photo",
                metadata: ["name": "\(record.object.name)", "reason": "\(error)"])
            return .unclear("\(error)")
        }
    }

    /// Returns whether a file has exactly the photo's bytes. Returns `false` if the path is missing or not a
    /// regular file.
    ///
    /// - Throws: ``SystemCallError`` if the file cannot be read.
    private static func matches(_ path: String, _ record: CaptureRecord) throws -> Bool {
        guard let bytes = record.bytes, let sha256 = record.sha256 else { return false }
        do {
            let file = try FileReader(path)
            return try file.size == bytes && PhotoHash.sha256(of: file) == sha256
        } catch let error as SystemCallError
            where error.isMissing || DurableFile.exists(path) && !DurableFile.isRegular(path)
        {
            return false
        }
    }
}
