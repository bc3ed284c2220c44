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
    let logger: Logger

    func run() async throws {
        let files = try parts.all()
        let partOf = Dictionary(files.compactMap { file in file.id.map { ($0, file.path) } }) { first, _ in
            first
        }
        for record in try await ledger.interrupted() {
            if try settle(record, part: partOf[record.id]) {
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
    private func settle(_ record: CaptureRecord, part: String?) throws -> Bool {
        guard let path = record.path, let bytes = record.bytes else { return false }
        if let part {
            guard try Self.size(part) == bytes else { return false }
            try DurableFile.sync(part)
            try DurableFile.createFolder(DurableFile.parent(of: path))
            guard try DurableFile.publish(part, as: path) else { return false }
        } else {
            guard DurableFile.exists(path), try Self.size(path) == bytes else { return false }
        }
        try DurableFile.syncFolder(DurableFile.parent(of: path))
        return true
    }

    private static func size(_ path: String) throws -> UInt64 { try FileReader(path).size }
}
