import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store

/// Puts ledger and disk in step after a crash, from what is on disk and in the ledger, never by a guess.
///
/// A photo that was being published has a record with its final name, and its bytes were checked and fsynced
/// before that record was written. Its `.part` file is gone exactly when the rename happened.
///
/// What cannot be looked at now stays as it is and is looked at again: nothing on the disk keeps the service from
/// starting. Only part files are removed; whatever else lies among them is somebody's.
struct StartupRepair: Sendable {
    let ledger: LedgerStore
    let parts: PartFiles
    /// The capture directory.
    let directory: String
    let logger: Logger

    /// What could not be put in step.
    struct Remains: Hashable, Sendable {
        /// Ledger numbers of photos whose files cannot be looked at, with the reason.
        var unclear: [CaptureID: String] = [:]
        /// Names of what lies among the part files and is none, or cannot be removed.
        var foreign: [String] = []
    }

    /// What became of a photo.
    private enum End {
        case saved
        case fetchAgain
        case unclear(String)
    }

    /// - Parameter ids: The photos to look at; all that were being published when `nil`, at the start.
    /// - Throws: what the ledger throws.
    func run(_ ids: Set<CaptureID>? = nil) async throws -> Remains {
        var remains = Remains()
        let (files, foreign) = parts.ofOtherRuns()
        let partsOf = Dictionary(grouping: files) { $0.id }
        for record in try await ledger.interrupted() where ids?.contains(record.id) ?? true {
            switch settle(record, parts: (partsOf[record.id] ?? []).map(\.path)) {
            case .saved:
                try await ledger.finishPublishing([record.id], at: Date())
                logger.notice("finished an interrupted photo", metadata: ["path": "\(record.path ?? "")"])
            case .fetchAgain:
                try await ledger.returnToSeen(id: record.id)
                logger.notice(
                    "an interrupted photo is fetched again", metadata: ["name": "\(record.object.name)"])
            case .unclear(let why):
                remains.unclear[record.id] = why
            }
        }
        remains.foreign = foreign
        // The part of a photo that is not in step may be the only copy that is left.
        for file in files where remains.unclear[file.id] == nil {
            do { try DurableFile.remove(file.path) } catch { remains.foreign.append(file.name) }
        }
        remains.foreign.sort()
        return remains
    }

    private func settle(_ record: CaptureRecord, parts: [String]) -> End {
        guard let path = record.path else { return .fetchAgain }
        do {
            if let part = try parts.first(where: { try Self.holds($0, record) }) {
                // Else it was linked to its final name, and killed before the first name was taken away.
                if !DurableFile.areSame(part, path) {
                    try DurableFile.sync(part)
                    try DurableFile.createFolder(DurableFile.parent(of: path))
                    guard try DurableFile.publish(part, as: path, resumes: true) || Self.holds(path, record)
                    else { return .fetchAgain }
                }
            } else {
                guard parts.isEmpty, try Self.holds(path, record) else { return .fetchAgain }
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

    /// Whether a file holds a photo's very bytes; what is no file holds none.
    ///
    /// - Throws: when that cannot be told.
    private static func holds(_ path: String, _ record: CaptureRecord) throws -> Bool {
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
