import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage

/// Photos whose files have wrong bytes according to their second readings.
extension Publisher {
    /// Durably replaces the wrong bytes of a photo with the right bytes.
    ///
    /// The publisher replaces the file only if the file still has the bytes of the first reading. If the file
    /// was changed, the publisher keeps the file and saves the right bytes under another name in the same
    /// folder. If the file is missing, the publisher saves the right bytes under the file's name.
    ///
    /// - Parameter wrong: The SHA-256 of the wrong file.
    /// - Returns: The path, size and hash of the file with the right bytes.
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

    /// Records a photo as a duplicate if its second reading has the bytes of another saved photo, and removes
    /// the wrong file. Records nothing if the other photo's file does not have these bytes now.
    ///
    /// The service removes the file at its next start if the removal fails or is interrupted, or if the file
    /// is missing because its disk is perhaps not mounted.
    ///
    /// - Returns: The duplicate, or `nil` if the photo must be corrected.
    /// - Throws: An error of the ledger.
    func recordDuplicate(_ reading: Arrival) async throws -> CaptureRecord? {
        guard let original = try await ledger.original(of: reading),
            await isSafe(original, sha256: reading.sha256),
            let duplicate = try await ledger.recordDuplicate(reading, at: clock.now())
        else { return nil }
        SimulatedHost.pass(.clearingRecorded)
        do {
            if let path = duplicate.path, let wrong = duplicate.sha256 {
                // The file may already have the right bytes, if the service crashed after it corrected the
                // file and before it updated the ledger.
                try await disk.remove(path, unneeded: [wrong, reading.sha256])
            }
            try await ledger.endClearing(gone: [duplicate.id], kept: [])
        } catch {
            logger.error(
                "cannot remove a file with wrong bytes",
                metadata: ["path": "\(duplicate.path ?? "")", "reason": "\(error)"])
        }
        return duplicate
    }

    /// Returns whether the record of a saved photo has this hash, and the file still has the same bytes. The
    /// result is also `true` if retention cleared the file, because the photo is delivered. Otherwise, this
    /// function reads the file, because the ledger does not know whether a person edited or removed the file.
    func isSafe(_ photo: CaptureRecord, sha256: String) async -> Bool {
        guard let path = photo.path, photo.sha256 == sha256 else { return false }
        if photo.clearedAt != nil { return true }
        return await disk.has(path, sha256: sha256)
    }
}
