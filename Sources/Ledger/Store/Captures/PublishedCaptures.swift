public import Foundation
public import FrameFastModel
import GRDB

/// Publishing: photos that get their names and are saved.
extension LedgerStore {
    /// The rules for numbering, naming and pairing arrivals.
    public struct NamingPolicy: Sendable {
        /// Returns the scope of a photo's counter.
        public var counterScope: @Sendable (CaptureRecord) -> String
        /// Returns the absolute path of a photo with this counter.
        public var path: @Sendable (CaptureRecord, _ counter: Int) -> String
        /// The longest time between the two files of a shot if the camera reports no times, in seconds.
        public var pairSettleSeconds: Double
        /// Whether photos on a card are read a second time after they are saved.
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

    /// Decides number, partner and final name of each arrival, and records them before any file is moved.
    /// After a crash the record has the path of the file.
    ///
    /// An arrival whose camera, name, size and time match another capture is the same photo if its bytes
    /// also match. It is recorded as a `duplicate` of that capture and must not be published.
    ///
    /// - Returns: The records of all known arrivals. The state is `publishing` for a record with its final
    ///   name. It is `duplicate` for a duplicate, with `verified` as `reread` if the original waited for
    ///   its second reading, which the duplicate provides. It is `seen` if the original has the same bytes
    ///   and is still being published, so it is not durable yet. Only arrivals in state `seen` or
    ///   `set_aside` can be published.
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

    /// Returns the original of a duplicate: a saved photo with the same bytes and name. It is from the same
    /// body, or from a body with the same serial number or also without one. Folder, time and body may have
    /// been misread in one of the two cases. Photos from a camera's memory, or with truncated facts, do not
    /// have their name on the card, so their names may differ.
    private static func savedOriginal(
        of record: CaptureRecord, _ arrival: Arrival, _ db: Database
    ) throws -> CaptureRecord? {
        let equals = try CaptureRecord.fetch(
            db, sql: equalsSQL,
            [
                "start": String(arrival.sha256.prefix(Schema.hashStartDigits)), "sha256": arrival.sha256,
                "bytes": Int64(bitPattern: arrival.bytes), "id": record.id,
            ]
        ).filter { equal in
            equal.object.name == record.object.name
                || [equal, record].contains { $0.object.isInMemory || $0.object.isNameless }
        }.sorted { $0.id < $1.id }
        if let own = equals.first(where: { $0.bodyID == record.bodyID }) { return own }
        guard !equals.isEmpty else { return nil }
        let namesakes = try LedgerStore.bodies(db).sharedSerials(of: record.bodyID)
        return equals.first { namesakes.contains($0.bodyID) }
    }

    /// The query for other photos with the same bytes that are on the disk or being published.
    static let equalsSQL = """
        SELECT * FROM capture INDEXED BY capture_bytes WHERE state IN ('saved', 'publishing')
        AND \(Schema.hashStart) = :start AND sha256 = :sha256 AND bytes = :bytes AND id <> :id
        """

    private static func markDuplicate(_ record: inout CaptureRecord, _ db: Database) throws {
        record.state = .duplicate
        record.failure = nil
        // The duplicate provides the second reading that its original waits for, with the same bytes.
        try db.execute(
            sql: "UPDATE capture SET verified = 'reread' WHERE id = ? AND verified = 'awaiting_reread'",
            arguments: [record.duplicateOf])
        if db.changesCount > 0 { record.verified = .reread }
        try db.execute(
            sql:
                "UPDATE capture SET state = 'duplicate', twin_id = ?, failure = NULL, verified = ? WHERE id = ?",
            arguments: [record.duplicateOf, record.verified?.rawValue, record.id])
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
        // A camera's memory delivers a photo only once.
        record.verified = naming.rereads && !record.object.isInMemory ? .awaitingReread : .structure
        if let partner {
            // The shot has the lower number of the two, regardless of which file was saved first.
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
        // A partner with another name than the template's determines the name, so that the files of a shot
        // stay together.
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

    /// Assigns another path to a photo whose final name is taken by a file that the ledger does not know.
    public func renamePublishing(_ record: CaptureRecord, to path: String) async throws -> CaptureRecord {
        try await write { db in
            var record = record
            record.path = try Self.freePath(db, path, for: record.id)
            try Self.update(db, record)
            return record
        }
    }

    /// Records photos as saved, after their files durably have their final names.
    public func finishPublishing(_ ids: [CaptureID], at now: Date) async throws {
        try await write { db in
            let update = try db.cachedStatement(
                sql: "UPDATE capture SET state = 'saved', saved_at = ?, failure = NULL WHERE id = ?")
            for id in ids { try update.execute(arguments: [now.timeIntervalSince1970, id]) }
        }
    }

    /// Resets a photo whose file was not saved, so that it is fetched again. Number and partner stay, and
    /// the name becomes free.
    public func returnToSeen(id: CaptureID) async throws {
        try await write { db in
            try db.execute(
                sql:
                    "UPDATE capture SET state = 'seen', path = NULL, bytes = NULL, sha256 = NULL, verified = NULL WHERE id = ?",
                arguments: [id])
        }
    }

    /// Returns the photos that were being published when the service ended.
    public func interruptedPublishings() async throws -> [CaptureRecord] {
        try await read { db in try CaptureRecord.fetch(db, where: "state = 'publishing' ORDER BY id", []) }
    }

    /// Returns the number that the next photo would get.
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

    /// Returns the other file of the same shot, if it already has its number and no partner yet.
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
        // The "+" prevents SQLite from using the camera's index, with which it would sort all photos of the
        // camera.
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

    /// Returns the files of the same moment with the same stem. If there are any, the partner is one of
    /// them, and adjacent files are ignored.
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
