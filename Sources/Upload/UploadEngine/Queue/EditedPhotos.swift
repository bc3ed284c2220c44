import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// A recorder of edits to saved photos. If a person adds a photo to the upload queue by its number,
/// FrameFast sends the current version of the photo's file.
struct EditedPhotos: Sendable {
    let store: LedgerStore
    let files: BlockingPool

    /// The size of the chunks in which a file is hashed, in bytes.
    private static let pieceBytes = 1 << 20

    /// The size and hash of a file's current version.
    private struct Version: Sendable {
        var bytes: UInt64
        var sha256: String
    }

    /// The result of comparing a photo's file with its record.
    private enum Finding: Sendable {
        /// The file has the saved bytes, or cannot be read now. In the second case, the upload waits until
        /// the file can be read.
        case unchanged
        /// The file was edited and is intact.
        case edited(Version)
        /// The file cannot be sent. The value is the reason, without a final period.
        case unusable(String)
    }

    /// Records the current size and hash of photos whose files were edited. If one of the photos cannot be
    /// sent, the function changes nothing.
    ///
    /// - Parameter destinations: The destinations of the photos. A photo is skipped if all of these
    ///   destinations have it.
    /// - Throws: ``UploadService/VerbError/cannotBeSent(_:)`` with each photo whose file is missing, became
    ///   shorter during the read, or was edited and is damaged.
    func recordEdits(to ids: [CaptureID], for destinations: [DestinationName]) async throws {
        var edited: [CaptureID: Version] = [:]
        var unusable: [UploadService.UnsendablePhoto] = []
        let records = try await store.captures(ids: Set(ids)).values.sorted { $0.id < $1.id }
        for record in records where record.state == .saved {
            guard let path = record.path, record.clearedAt == nil,
                try await isMissing(record.id, at: destinations)
            else { continue }
            switch await files.run({ Self.compare(record, path) }) {
            case .unchanged: continue
            case .edited(let version): edited[record.id] = version
            case .unusable(let reason): unusable.append(.init(id: record.id, reason: reason))
            }
        }
        guard unusable.isEmpty else { throw UploadService.VerbError.cannotBeSent(unusable) }
        for (id, version) in edited {
            try await store.recordEdited(
                id: id, bytes: version.bytes, sha256: version.sha256, for: destinations)
        }
    }

    /// Returns whether at least one of the destinations lacks the photo.
    private func isMissing(_ id: CaptureID, at destinations: [DestinationName]) async throws -> Bool {
        let delivered = try await store.uploads(capture: id).filter { $0.state == .delivered }
        return destinations.contains { name in !delivered.contains { $0.destination == name } }
    }

    private static func compare(_ record: CaptureRecord, _ path: String) -> Finding {
        do throws(SystemCallError) {
            let file = try FileReader(path)
            guard let version = try Self.version(of: file) else {
                return .unusable("the file \(path) changed while it was being read")
            }
            guard version.sha256 != record.sha256 else { return .unchanged }
            let outcome = try StructureCheck.check(name: record.object.name, size: file.size) {
                (offset: UInt64, count: Int) throws(SystemCallError) in
                try file.read(at: offset, count: count)
            }
            guard case .damaged(let damage) = outcome else { return .edited(version) }
            return .unusable("the file \(path) was changed after it was saved, and is damaged: \(damage)")
        } catch {
            let failure = LocalFailureMapping.failure(error, path)
            guard case .permanent = failure.kind else { return .unchanged }
            let words = failure.sentence
            return .unusable(words.prefix(1).lowercased() + words.dropFirst().dropLast())
        }
    }

    /// Returns the size and hash of a file, or `nil` if the file became shorter during the read.
    private static func version(of file: borrowing FileReader) throws(SystemCallError) -> Version? {
        var hash = SHA256()
        var offset: UInt64 = 0
        while offset < file.size {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { break }
            hash.update(data: piece)
            offset += UInt64(piece.count)
        }
        return offset == file.size ? Version(bytes: offset, sha256: Hex.text(hash.finalize())) : nil
    }
}
