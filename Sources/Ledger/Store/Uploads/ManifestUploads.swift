public import Foundation
public import FrameFastModel
import GRDB

/// Manifests on their way: which folders' histories are not at their destinations yet.
extension LedgerStore {
    /// A photo that was just sealed: its folder's history goes where the photo goes.
    static func enterManifestUploads(
        _ db: Database, of id: CaptureID, path: String, in folder: String
    ) throws {
        // By byte: with a combining mark behind it a "/" is another character.
        guard path.utf8.starts(with: (folder + "/").utf8) else { return }
        let below = String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
        // Only where names are those of here: no manifest could say anything of others.
        try db.cachedStatement(
            sql: """
                INSERT INTO manifest_upload (folder, destination, remote_folder, generation, newest)
                SELECT :folder, destination, substr(remote_name, 1, length(remote_name) - length(:below)), 0,
                    (SELECT max(generation) FROM manifest WHERE folder = :folder)
                FROM upload_job
                WHERE capture_id = :capture AND (remote_name = :below
                    OR substr(remote_name, -length(:below) - 1) = '/' || :below)
                ON CONFLICT (folder, destination) DO NOTHING
                """
        ).execute(arguments: ["folder": folder, "below": below, "capture": id])
    }

    /// A photo for which a job was just entered: when a generation has it already, the histories above it follow.
    static func enterManifestUploads(_ db: Database, planned id: CaptureID) throws {
        let sealed = try db.cachedStatement(
            sql: "SELECT path FROM capture WHERE id = ? AND is_sealed = 1")
        guard let path = try String.fetchOne(sealed, arguments: [id]) else { return }
        let isHistory = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM manifest WHERE folder = ?)")
        var above = path.utf8[...]
        while let slash = above.lastIndex(of: UInt8(ascii: "/")), slash > above.startIndex {
            above = above[..<slash]
            let folder = String(Substring(above))
            guard try Bool.fetchOne(isHistory, arguments: [folder]) == true else { continue }
            try enterManifestUploads(db, of: id, path: path, in: folder)
        }
    }

    /// A folder's history has a new generation.
    static func raiseManifestUploads(_ db: Database, of folder: String, to generation: Int) throws {
        try db.execute(
            sql: "UPDATE manifest_upload SET newest = max(newest, ?) WHERE folder = ?",
            arguments: [generation, folder])
    }

    /// Which history of a destination may go now, and when the next of those may go that wait after a failure.
    ///
    /// A history goes after its photos: as long as one of them has no plan, or a job there that is not done, it stays. Its
    /// cost grows with the photos of folders whose history is not there, and with nothing else.
    public func manifestUploadDue(
        destination: DestinationName, at now: Date
    ) async throws -> (due: ManifestUpload?, later: Date?) {
        try await read { db in
            // As for photos: a clock that was set back must not keep a history for years.
            let latest = now.addingTimeInterval(UploadBackoff.retryAfterMaxSeconds + 60)
            let arguments: StatementArguments = [
                "destination": destination, "now": now.timeIntervalSince1970,
                "latest": latest.timeIntervalSince1970,
            ]
            let due = try Row.fetchOne(db.cachedStatement(sql: Self.manifestDueSQL), arguments: arguments)
            let later = try Double.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT min(next_attempt_at) FROM manifest_upload INDEXED BY manifest_upload_open
                        WHERE destination = ? AND generation < newest
                        """), arguments: [destination])
            return (due.map(ManifestUpload.init), later.map(Date.init(timeIntervalSince1970:)))
        }
    }

    static let manifestDueSQL = """
        SELECT * FROM manifest_upload INDEXED BY manifest_upload_open
        WHERE destination = :destination AND generation < newest
            AND (next_attempt_at IS NULL OR next_attempt_at <= :now OR next_attempt_at > :latest)
            AND NOT EXISTS (
                SELECT 1 FROM capture LEFT JOIN upload_job
                    ON capture_id = capture.id AND upload_job.destination = manifest_upload.destination
                WHERE path >= manifest_upload.folder || '/' AND path < manifest_upload.folder || '0'
                    AND is_sealed = 1
                    AND (uploads_planned = 0
                        OR upload_job.state IN ('held', 'queued', 'retrying', 'uploading')))
        LIMIT 1
        """

    /// The histories that are not at a destination yet, by folder.
    public func manifestUploads(destination: DestinationName) async throws -> [ManifestUpload] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM manifest_upload INDEXED BY manifest_upload_open
                    WHERE destination = ? AND generation < newest ORDER BY folder
                    """, arguments: [destination]
            ).map(ManifestUpload.init)
        }
    }

    /// A chain of ours is about to be sent where none was: from now on what is there may be ours.
    public func beginChain(of upload: ManifestUpload) async throws {
        try await change(upload, "has_chain = 1", [])
    }

    /// A history is there, up to a generation.
    public func manifestsDelivered(_ upload: ManifestUpload, upTo generation: Int) async throws {
        try await change(
            upload,
            """
            generation = ?, newest = max(newest, ?), has_chain = 1, failures = 0, next_attempt_at = NULL,
                sentence = NULL, next_step = NULL
            """, [generation, generation])
    }

    /// A try failed.
    ///
    /// - Parameter isChainForeign: Whether the chain that is there was found to be somebody else's.
    public func manifestsFailed(
        _ upload: ManifestUpload, sentence: String, nextStep: String?, next: Date, isChainForeign: Bool
    ) async throws {
        try await change(
            upload,
            """
            failures = failures + 1, next_attempt_at = ?, sentence = ?, next_step = ?\
            \(isChainForeign ? ", has_chain = 0" : "")
            """, [next.timeIntervalSince1970, sentence, nextStep])
    }

    /// Histories that wait after a failure may go now.
    public func retryManifestUploads(destination: DestinationName?) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE manifest_upload SET next_attempt_at = NULL
                    WHERE next_attempt_at IS NOT NULL AND coalesce(destination = ?, 1)
                    """, arguments: [destination])
        }
    }

    private func change(
        _ upload: ManifestUpload, _ assignments: String, _ arguments: StatementArguments
    ) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE manifest_upload SET \(assignments) WHERE folder = ? AND destination = ?",
                arguments: arguments + [upload.folder, upload.destination])
        }
    }
}

extension ManifestUpload {
    fileprivate init(row: Row) {
        self.init(
            folder: row["folder"], destination: row["destination"], remoteFolder: row["remote_folder"],
            generation: row["generation"], newest: row["newest"], hasChain: row["has_chain"])
        failures = row["failures"]
        nextAttemptAt = (row["next_attempt_at"] as Double?).map(Date.init(timeIntervalSince1970:))
        sentence = row["sentence"]
        nextStep = row["next_step"]
    }
}
