import FrameFastModel
import GRDB

/// Companion files: files that belong to a photo with the same folder and stem. Companion files get the
/// photo's number, name and session.
extension LedgerStore {
    /// Returns the photo that determines a file's name. Companions (sound, sidecar, thumbnail) and files with
    /// an implausible date have such a photo. Returns `nil` for all other files, and if the photo is not in
    /// the ledger yet.
    ///
    /// If a shot already has a RAW file and a picture, a file with an implausible date does not join the
    /// shot. The camera has then reused the name for another shot.
    static func leader(of record: CaptureRecord, _ db: Database) throws -> CaptureRecord? {
        if record.kind == .other {
            let photos = try files(of: record, stems: PairingRule.companionStems(of: record.object.name), db)
                .filter { PairingRule.isCompanion(record, of: $0) }
            guard let latest = photos.first else { return nil }
            // If a RAW file and its JPEG match, choose the file that already has a number.
            return photos.first { $0.counter != nil && PairingRule.wereAnnouncedTogether($0, latest) }
                ?? latest
        }
        guard PairingRule.isMisdated(record) else { return nil }
        return try files(of: record, stems: [SafeName.split(record.object.name).stem.lowercased()], db)
            .first {
                PairingRule.arePair(record, $0, settleSeconds: 0) && !PairingRule.isMisdated($0)
                    && ($0.pairID == nil || $0.pairID == record.pairID)
            }
    }

    /// Returns the companions of a photo that were saved before the photo and are not linked to it yet.
    static func companions(of photo: CaptureRecord, _ db: Database) throws -> [CaptureRecord] {
        guard photo.kind != .other else { return [] }
        let stem = SafeName.split(photo.object.name).stem.lowercased()
        // The range of stems includes Sony's sidecars, which have a suffix after the stem.
        return try CaptureRecord.fetch(
            db,
            where: """
                camera_id = ? AND stem >= ? AND stem < ? AND folder = ? AND is_photo = 0 AND pair_id IS NULL
                    AND state <> 'duplicate' AND counter IS NOT NULL ORDER BY id DESC LIMIT 20
                """, [photo.bodyID, stem, stem + "\u{10FFFF}", photo.object.folder]
        ).filter { PairingRule.isCompanion($0, of: photo) }
    }

    /// Returns other photos of the camera in the same folder: for each of these stems, newest first.
    private static func files(
        of record: CaptureRecord, stems: [String], _ db: Database
    ) throws -> [CaptureRecord] {
        try stems.flatMap { stem in
            try CaptureRecord.fetch(
                db,
                where: """
                    camera_id = ? AND stem = ? AND folder = ? AND id <> ? AND is_photo = 1
                        AND state NOT IN ('duplicate', 'skipped') ORDER BY id DESC LIMIT 20
                    """, [record.bodyID, stem, record.object.folder, record.id])
        }
    }

    /// Sets the number of a photo whose companion was saved before the photo.
    static func assignNumber(_ leader: CaptureRecord, _ counter: Int, _ db: Database) throws {
        guard leader.counter == nil else { return }
        try db.execute(
            sql: "UPDATE capture SET counter = ? WHERE id = ?", arguments: [counter, leader.id])
    }

    /// Returns the path of a file: the leader's name with the file's own extension.
    static func path(
        of record: CaptureRecord, as leader: CaptureRecord, counter: Int, _ naming: NamingPolicy
    ) -> String {
        var file = leader
        let ext = SafeName.split(record.object.name).ext
        file.object.name = SafeName.split(leader.object.name).stem + (ext.isEmpty ? "" : "." + ext)
        file.path = nil
        let planned = naming.path(file, counter)
        guard let path = leader.path, path != naming.path(leader, counter) else { return planned }
        // Here, the leader's name differs from the template, because the planned name was in use or the
        // template has changed.
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let plannedExt = SafeName.split(planned).ext
        return path[..<slash] + SafeName.split(String(path[slash...])).stem
            + (plannedExt.isEmpty ? "" : "." + plannedExt)
    }
}
