import CaptureEngine
import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// Checks of the start, at which the service repairs interrupted photos.
extension SimulationOracle {
    /// Returns the interrupted photos that the next start of the service must complete. Their bytes are on
    /// the disk, under the final name or in a part file. Call this before the start.
    ///
    /// The result omits a photo if another file has its final name, or if it has part files but none of them
    /// has its bytes.
    func repairablePhotos() -> Set<CaptureID> {
        // At the first start, the ledger does not exist.
        guard DurableFile.exists(environment.ledgerPath),
            let ledger = try? LedgerReader(path: environment.ledgerPath),
            let records = try? ledger.photosWithFile(after: 0, limit: Self.recordsMax)
        else { return [] }
        let partHashes = hashesOfPartFiles()
        return Set(
            records.filter { record in
                guard record.state == .publishing, let path = record.path, let sha256 = record.sha256 else {
                    return false
                }
                let file = FileManager.default.contents(atPath: path).map(Self.sum)
                guard let parts = partHashes[record.id] else { return file == sha256 }
                return parts.contains(sha256) && (file == nil || file == sha256)
            }.map(\.id))
    }

    /// Returns the SHA-256 of each part file, by photo.
    private func hashesOfPartFiles() -> [CaptureID: Set<String>] {
        let folder = environment.captureSettings.incomingFolder
        var hashes: [CaptureID: Set<String>] = [:]
        for name in (try? FolderReader.names(in: folder)) ?? [] where name.hasSuffix(".part") {
            guard let number = Int64(name.prefix { $0 != "-" }),
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)")
            else { continue }
            hashes[CaptureID(rawValue: number), default: []].insert(Self.sum(bytes))
        }
        return hashes
    }

    /// Checks the records after the repair, and passes them to the rules for reads and deletions and to the
    /// hooks. No task of the service may run during the check.
    ///
    /// - Parameter repairable: The result of ``repairablePhotos()``.
    /// - Returns: The violations.
    func checkStart(_ ledger: LedgerStore, repairable: Set<CaptureID>) async throws -> [String] {
        let records = try await records(of: ledger)
        environment.reads.recordStart(records)
        environment.deletions.recordStart(records)
        environment.hooks.recordStart(records)
        return records.compactMap { record -> String? in
            switch record.state {
            case .seen where repairable.contains(record.id):
                "capture \(record.id) is fetched again, although its bytes are on the disk"
            case .saved where record.clearedAt == nil: fault(of: record)
            default: nil
            }
        }
    }

    /// Returns the difference between a saved photo and its file, or `nil` if they agree.
    private func fault(of record: CaptureRecord) -> String? {
        guard let bytes = record.path.flatMap({ FileManager.default.contents(atPath: $0) }) else {
            return "capture \(record.id) is saved without its file"
        }
        // The file may already have the right bytes of a second reading, before the ledger records them.
        guard record.verified != .awaitingReread, Self.sum(bytes) != record.sha256 else { return nil }
        return "the file of capture \(record.id) has other bytes than the saved photo"
    }
}
