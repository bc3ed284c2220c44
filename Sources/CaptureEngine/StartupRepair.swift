import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// Puts ledger and disk in step after a crash, from what is on disk and in the ledger, never by a guess.
///
/// A photo that was being published has a record with its final name, and its bytes were checked and fsynced
/// before that record was written. Its `.part` file is gone exactly when the rename happened.
struct StartupRepair: Sendable {
    let ledger: LedgerStore
    let parts: PartFiles
    /// The capture directory.
    let directory: String
    let logger: Logger

    func run() async throws {
        let files = try parts.all()
        let partsOf = Dictionary(grouping: files) { $0.id }
        for record in try await ledger.interrupted() {
            if try settle(record, parts: (partsOf[record.id] ?? []).map(\.path)) {
                try await ledger.finishPublishing([record.id], at: Date())
                logger.notice("finished an interrupted photo", metadata: ["path": "\(record.path ?? "")"])
            } else {
                try await ledger.returnToSeen(id: record.id)
                logger.notice(
                    "an interrupted photo is fetched again", metadata: ["name": "\(record.object.name)"])
            }
        }
        for file in try parts.all() { try DurableFile.remove(file.path) }
    }

    /// Whether the photo stands under its final name now, durably.
    private func settle(_ record: CaptureRecord, parts: [String]) throws -> Bool {
        guard let path = record.path, let bytes = record.bytes else { return false }
        let part = parts.first { (try? Self.size($0)) == bytes }
        if let part, DurableFile.areSame(part, path) {
            // Linked to its final name, and killed before the first name was taken away: the sweep does that.
        } else if let part {
            do {
                try DurableFile.sync(part)
                try DurableFile.createFolder(DurableFile.parent(of: path))
                guard try DurableFile.publish(part, as: path) else { return false }
            } catch {
                // A full disk must not keep the service from starting: nothing has its final name, so fetch again.
                logger.warning("cannot finish an interrupted photo", metadata: ["reason": "\(error)"])
                return false
            }
        } else {
            guard parts.isEmpty, DurableFile.exists(path), try Self.size(path) == bytes else { return false }
        }
        try DurableFile.syncFolders(from: DurableFile.parent(of: path), upTo: directory)
        return true
    }

    private static func size(_ path: String) throws -> UInt64 { try FileReader(path).size }
}
