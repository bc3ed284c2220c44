public import Foundation
public import FrameFastModel
import GRDB

/// Publishing: giving photos their final names and recording the photos as saved.
extension LedgerStore {
    /// The rules for numbering, naming and pairing arrivals.
    public struct NamingPolicy: Sendable {
        /// Returns the scope of a photo's counter.
        public var counterScope: @Sendable (CaptureRecord) -> String
        /// Returns the absolute path of a photo with this counter.
        public var path: @Sendable (CaptureRecord, _ counter: Int) -> String
        /// The longest time between the two files of a shot if the camera reports no times, in seconds.
        public var pairSettleSeconds: Double
        /// Whether photos are read from the card a second time after they are saved.
        public var rereads: Bool

        /// Creates a policy.
        public init(
            counterScope: @escaping @Sendable (CaptureRecord) -> String,
            path: @escaping @Sendable (CaptureRecord, _ counter: Int) -> String, pairSettleSeconds: Double,
            rereads: Bool = false
        ) {
            self.rereads = rereads
            self.counterScope = counterScope
            self.path = path
            self.pairSettleSeconds = pairSettleSeconds
        }
    }

    /// Determines the number, partner and final name of each arrival. The ledger records these values before
    /// any file is moved. After a crash, the path of each file is therefore known.
    ///
    /// If an arrival has the same bytes as a saved capture with a matching name, it is the same photo. The
    /// ledger records the arrival as a `duplicate` of that capture. The caller must not publish a duplicate.
    ///
    /// - Returns: The records of the arrivals that were in state `seen` or `set_aside`. The state of a record
    ///   is now one of these:
    ///   - `publishing`: The record has its final name.
    ///   - `duplicate`: The arrival is a duplicate. If the original was waiting for a second read, the
    ///     duplicate provides this read, and the duplicate's `verified` is `reread`.
    ///   - `seen` or `set_aside`: The original has the same bytes, but is still being published.
    public func beginPublishing(_ arrivals: [Arrival], naming: NamingPolicy) async throws -> [CaptureRecord] {
        try await write { db in
            try arrivals.compactMap { arrival in
                guard
                    var record = try CaptureRecord.fetch(
                        db, where: "id = ? AND state IN ('seen', 'set_aside')", [arrival.id]
                    ).first
                else { return nil }
                let original = try Self.savedOriginal(of: record, arrival, db)
                if let original {
                    record.duplicateOf = original.id
                    if original.state == .saved { try Self.markDuplicate(&record, db) }
                    return record
                }
                record.duplicateOf = nil
                try Self.plan(&record, arrival, naming, db)
                return record
            }
        }
    }

    /// Returns the original of a duplicate: a photo with the same bytes and name that is saved or being
    /// published. If the photo's file was edited, the unedited bytes also match.
    ///
    /// The original is from the same body, or from a body that the serial number does not distinguish. Folder
    /// and time may differ, because the driver may have misread them. Names are not compared for photos from
    /// a camera's memory and for photos without a name.
    static func savedOriginal(
        of record: CaptureRecord, _ arrival: Arrival, _ db: Database
    ) throws -> CaptureRecord? {
        let bytes = Int64(bitPattern: arrival.bytes)
        let saved = try CaptureRecord.fetch(
            db, sql: equalsSQL,
            [
                "start": String(arrival.sha256.prefix(Schema.hashStartDigits)), "sha256": arrival.sha256,
                "bytes": bytes, "id": record.id,
            ])
        let edited = try CaptureRecord.fetch(
            db, sql: equalOriginalsSQL, ["sha256": arrival.sha256, "bytes": bytes, "id": record.id])
        // A photo whose file has these bytes comes before an edited photo.
        let equals = (saved.sorted { $0.id < $1.id } + edited.sorted { $0.id < $1.id }).filter { equal in
            equal.object.name == record.object.name
                || [equal, record].contains { $0.object.isInMemory || $0.object.isNameless }
        }
        if let own = equals.first(where: { $0.bodyID == record.bodyID }) { return own }
        guard !equals.isEmpty else { return nil }
        let bodies = try LedgerStore.bodies(db).sharedSerials(of: record.bodyID)
        return equals.first { bodies.contains($0.bodyID) }
    }

    /// The query for other photos with the same bytes that are saved or being published.
    static let equalsSQL = """
        SELECT * FROM capture INDEXED BY capture_bytes WHERE state IN ('saved', 'publishing')
        AND \(Schema.hashStart) = :start AND sha256 = :sha256 AND bytes = :bytes AND id <> :id
        """

    /// The query for other photos whose files were edited, and whose originals have the same bytes.
    static let equalOriginalsSQL = """
        SELECT * FROM capture INDEXED BY capture_original WHERE original_sha256 = :sha256
        AND original_bytes = :bytes AND state IN ('saved', 'publishing') AND id <> :id
        """

    static func markDuplicate(_ record: inout CaptureRecord, _ db: Database) throws {
        record.state = .duplicate
        record.failure = nil
        // The duplicate has the same bytes as its original. It therefore serves as the original's second
        // read.
        let verify = try db.cachedStatement(
            sql: "UPDATE capture SET verified = 'reread' WHERE id = ? AND verified = 'awaiting_reread'")
        try verify.execute(arguments: [record.duplicateOf])
        if db.changesCount > 0 { record.verified = .reread }
        let mark = try db.cachedStatement(
            sql: """
                UPDATE capture SET state = 'duplicate', twin_id = ?, failure = NULL, verified = ? WHERE id = ?
                """)
        try mark.execute(arguments: [record.duplicateOf, record.verified?.rawValue, record.id])
    }

    private static func plan(
        _ record: inout CaptureRecord, _ arrival: Arrival, _ naming: NamingPolicy, _ db: Database
    ) throws {
        let leader = try leader(of: record, db)
        if let leader { (record.sessionID, record.isUnsorted) = (leader.sessionID, leader.isUnsorted) }
        let partner = try record.pairID == nil ? partner(of: record, db, naming.pairSettleSeconds) : nil
        let companions = try companions(of: record, db)
        let counter =
            try record.counter ?? leader?.counter ?? partner?.counter ?? companions.first?.counter
            ?? leader.flatMap { try self.partner(of: $0, db, naming.pairSettleSeconds)?.counter }
            ?? nextCounter(db, scope: naming.counterScope(record))
        record.counter = counter
        if let leader { try assignNumber(leader, counter, db) }
        record.record(arrival)
        record.state = .publishing
        record.failure = nil
        // A photo in a camera's memory can be read only once.
        record.verified = naming.rereads && !record.object.isInMemory ? .awaitingReread : .structure
        if let partner {
            // The shot's number is the lower number of the two files, regardless of which file was saved
            // first.
            record.pairID = min(partner.id, record.id)
            try db.execute(
                sql:
                    "UPDATE capture SET pair_id = :shot WHERE id = :partner OR (is_photo = 0 AND pair_id = :partner)",
                arguments: ["shot": record.pairID, "partner": partner.id])
        }
        if let leader, record.kind == .other { record.pairID = leader.pairID ?? leader.id }
        for companion in companions {
            try db.execute(
                sql: "UPDATE capture SET pair_id = ? WHERE id = ?",
                arguments: [record.pairID ?? record.id, companion.id])
        }
        // If the partner's name differs from the template, the new file gets the partner's name. The files of
        // a shot then stay together.
        let renamed = partner.flatMap { partner in
            partner.path == nil || partner.path == naming.path(partner, partner.counter ?? counter)
                ? nil : partner
        }
        let wanted =
            (leader ?? renamed).map { path(of: record, as: $0, counter: counter, naming) }
            ?? naming.path(record, counter)
        let found = try arrival.foundAt.flatMap { try isFree(path: $0, db) ? $0 : nil }
        record.path = try found ?? freePath(db, wanted, for: record.id)
        try update(db, record)
    }

    /// Assigns another path to a photo whose planned path is in use by a file without a record.
    public func renamePublishing(_ record: CaptureRecord, to path: String) async throws -> CaptureRecord {
        try await write { db in
            var record = record
            record.path = try Self.freePath(db, path, for: record.id)
            // Updates only the path, because `record` may be out of date: another photo may have become the
            // partner of this photo.
            try db.execute(
                sql: "UPDATE capture SET path = ? WHERE id = ?", arguments: [record.path, record.id])
            return record
        }
    }

    /// Records photos as saved. Called after the files durably have their final names.
    public func finishPublishing(_ ids: [CaptureID], at now: Date) async throws {
        try await write { db in
            let update = try db.cachedStatement(
                sql: "UPDATE capture SET state = 'saved', saved_at = ?, failure = NULL WHERE id = ?")
            for id in ids { try update.execute(arguments: [now.timeIntervalSince1970, id]) }
        }
    }

    /// Resets a photo whose file was not saved. The service fetches the photo again. The record keeps its
    /// number and partner. Its path becomes available to other photos.
    public func returnToSeen(id: CaptureID) async throws {
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE capture SET state = 'seen', path = NULL, bytes = NULL, sha256 = NULL,
                        verified = NULL
                    WHERE id = ?
                    """)
            try update.execute(arguments: [id])
        }
    }

    /// Returns the photos that were being published when the service stopped.
    public func interruptedPublishings() async throws -> [CaptureRecord] {
        try await read { db in try CaptureRecord.fetch(db, where: "state = 'publishing' ORDER BY id", []) }
    }

    /// Returns the next number of a counter without incrementing the counter.
    public func peekCounter(scope: String) async throws -> Int {
        try await read { db in
            (try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE scope = ?", arguments: [scope]) ?? 0)
                + 1
        }
    }

    private static func nextCounter(_ db: Database, scope: String) throws -> Int {
        let next = try db.cachedStatement(
            sql: """
                INSERT INTO counter (scope, value) VALUES (?, 1)
                ON CONFLICT (scope) DO UPDATE SET value = value + 1 RETURNING value
                """)
        return try Int.fetchOne(next, arguments: [scope]) ?? 1
    }

    /// Returns the other file of the same shot if it already has a number and has no partner yet.
    private static func partner(
        of record: CaptureRecord, _ db: Database, _ settle: Double
    ) throws -> CaptureRecord? {
        let namesakes = try namesakes(of: record, db, settle)
        guard namesakes.isEmpty else {
            return namesakes.first {
                $0.counter != nil && $0.pairID == nil
                    && PairingRule.arePair(record, $0, settleSeconds: settle)
            }
        }
        // The "+" prevents SQLite from using the camera's index. With that index, SQLite would sort all
        // photos of the camera.
        let neighbour = try CaptureRecord.fetch(
            db, where: "+camera_id = ? AND id < ? AND is_photo = 1 ORDER BY id DESC LIMIT 1",
            [record.bodyID, record.id]
        ).first
        guard let neighbour, neighbour.counter != nil, neighbour.pairID == nil,
            PairingRule.arePair(record, neighbour, areAdjacent: true, settleSeconds: settle),
            try self.namesakes(of: neighbour, db, settle).isEmpty
        else { return nil }
        return neighbour
    }

    /// Returns other files with the same stem and a matching time. If any such files exist, only these files
    /// can be the partner.
    private static func namesakes(
        of record: CaptureRecord, _ db: Database, _ settle: Double
    ) throws -> [CaptureRecord] {
        try CaptureRecord.fetch(
            db,
            where:
                "camera_id = ? AND stem = ? AND id <> ? AND is_photo = 1 AND state <> 'duplicate' ORDER BY id DESC LIMIT 20",
            [record.bodyID, SafeName.split(record.object.name).stem.lowercased(), record.id]
        ).filter { PairingRule.haveMatchingTimes(record, $0, settleSeconds: settle) }
    }

    private static func freePath(_ db: Database, _ wanted: String, for id: CaptureID) throws -> String {
        let isTaken = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM capture WHERE path = ? AND id <> ?)")
        var path = wanted
        var suffix = 2
        while try Bool.fetchOne(isTaken, arguments: [path, id]) ?? false {
            path = NamingTemplate.path(wanted, suffix: suffix)
            suffix += 1
        }
        return path
    }

    private static func update(_ db: Database, _ record: CaptureRecord) throws {
        let update = try db.cachedStatement(
            sql: """
                UPDATE capture SET state = ?, path = ?, bytes = ?, sha256 = ?, counter = ?, pair_id = ?,
                    twin_id = ?, transfer_ms = ?, failure = ?, verified = ?, session_id = ?, is_unsorted = ?
                WHERE id = ?
                """)
        try update.execute(arguments: [
            record.state.rawValue, record.path, record.bytes.map(Int64.init(bitPattern:)), record.sha256,
            record.counter, record.pairID, record.duplicateOf, record.transferMs, record.failure,
            record.verified?.rawValue, record.sessionID, record.isUnsorted, record.id,
        ])
    }
}
