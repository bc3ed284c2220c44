import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// Photos that were edited after they were saved. A person who adds one by its number wants its file as it is now.
struct EditedPhotos: Sendable {
    let store: LedgerStore
    let files: BlockingPool

    /// Bytes that are hashed at a time.
    private static let pieceBytes = 1 << 20

    /// A file as it is now.
    private struct Version: Sendable {
        var bytes: UInt64
        var sha256: String
    }

    /// Records the present bytes of photos whose files were edited. A file that does not look whole keeps its record, and its
    /// upload fails.
    ///
    /// - Parameter destinations: The destinations that get the files.
    func adopt(_ ids: [CaptureID], for destinations: [DestinationName]) async throws {
        for record in try await store.captures(ids: Set(ids)).values where record.state == .saved {
            guard let path = record.path, record.clearedAt == nil else { continue }
            let found = await files.run { try? Self.version(of: path, name: record.object.name) }
            guard let found, found.sha256 != record.sha256 else { continue }
            try await store.recordEdited(
                id: record.id, bytes: found.bytes, sha256: found.sha256, for: destinations)
        }
    }

    /// The bytes of a file, or `nil` if it does not look whole.
    private static func version(of path: String, name: String) throws -> Version? {
        let file = try FileReader(path)
        let verdict = try StructureCheck.verdict(name: name, size: file.size) { offset, count in
            try file.read(at: offset, count: count)
        }
        guard verdict == .whole else { return nil }
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
