public import Foundation
public import FrameFastModel
import GRDB

/// A field as it stands for the next photos.
public struct FieldSetting: Hashable, Sendable {
    /// Its name.
    public var name: FieldName
    /// What the next photos are given.
    public var text: String
    /// The one camera whose photos are given it; `nil` for all cameras without one of their own.
    public var camera: CameraID?
    /// When it was set.
    public var at: Date
    /// Who set it; `nil` for the service itself.
    public var by: Asker?
    /// Shots of the session that have it.
    public var shots: Int
}

extension LedgerStore {
    /// Stands for all cameras in tables that have a row for each camera.
    static let allCameras: CameraID = ""

    /// What the next photos of a session are given, by camera and name.
    public func fields(session: SessionID) async throws -> [FieldSetting] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM field WHERE session_id = ? AND text <> '' ORDER BY camera_id, name",
                arguments: [session]
            ).map { row in
                let camera: CameraID = row["camera_id"]
                var setting = FieldSetting(
                    name: row["name"], text: row["text"], camera: camera == Self.allCameras ? nil : camera,
                    at: Date(timeIntervalSince1970: row["set_at"]), by: row["asker"], shots: 0)
                setting.shots = try Self.shots(with: setting, session: session, db)
                return setting
            }
        }
    }

    private static func shots(with setting: FieldSetting, session: SessionID, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(DISTINCT \(Schema.shot)) FROM capture
                WHERE \(Schema.isCapture) AND session_id = :session AND fields IS NOT NULL
                AND json_extract(fields, '$.' || :name) = :text
                AND (:camera IS NULL OR camera_id IN (SELECT id FROM camera WHERE fleet_id = :camera))
                """,
            arguments: [
                "session": session, "name": setting.name, "text": setting.text, "camera": setting.camera,
            ]) ?? 0
    }

    /// Sets fields for the next photos, and clears others.
    ///
    /// - Parameters:
    ///   - texts: What they are from now on.
    ///   - cleared: Those that are not set any more: for one camera, what holds for all is given again.
    ///   - camera: The one camera whose photos are given them; `nil` for all.
    public func setFields(
        _ texts: FieldTexts, clear cleared: [FieldName] = [], session: SessionID, camera: CameraID?,
        at now: Date
    ) async throws {
        try await write { db in
            try Self.set(texts, session: session, camera: camera, at: now, db)
            for name in cleared {
                if let camera {
                    try db.execute(
                        sql: "DELETE FROM field WHERE session_id = ? AND camera_id = ? AND name = ?",
                        arguments: [session, camera, name])
                } else {
                    try Self.set([name: ""], session: session, camera: nil, at: now, db)
                }
            }
        }
    }

    static func set(
        _ texts: FieldTexts, session: SessionID, camera: CameraID?, at now: Date, _ db: Database
    ) throws {
        let set = try db.cachedStatement(
            sql: """
                INSERT INTO field (session_id, camera_id, name, text, set_at, asker)
                VALUES (?, ?, ?, ?, ?, (SELECT name FROM asker))
                ON CONFLICT DO UPDATE SET text = excluded.text, set_at = excluded.set_at, asker = excluded.asker
                WHERE text <> excluded.text
                """)
        for (name, text) in texts {
            try set.execute(arguments: [
                session, camera ?? allCameras, name, text, now.timeIntervalSince1970,
            ])
        }
    }
}

/// What photos are given of the fields when they are heard of.
struct FieldStamp {
    private let texts: FieldTexts
    /// Whether the session ever had fields: a photo's partner may have been given some that were cleared since.
    private let isUsed: Bool

    /// Reads what stands for a camera's photos.
    ///
    /// - Parameter session: `nil` for photos without one, which are given nothing.
    init(_ db: Database, session: SessionID?, camera: BodyID) throws {
        guard let session else {
            (texts, isUsed) = ([:], false)
            return
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT name, text FROM field WHERE session_id = :session AND (camera_id = ''
                    OR camera_id = (SELECT fleet_id FROM camera WHERE id = :body)) ORDER BY camera_id
                """)
        var texts: FieldTexts = [:]
        // What is of one camera comes last.
        for row in try Row.fetchAll(statement, arguments: ["session": session, "body": camera]) {
            texts[row["name"]] = row["text"]
        }
        isUsed = !texts.isEmpty
        self.texts = texts.filter { !$0.value.isEmpty }
    }

    /// Gives a photo its fields: those of the other file of its shot, when that was heard of before.
    func put(on record: inout CaptureRecord, _ db: Database) throws {
        guard isUsed else { return }
        let partner = try partner(of: record, db)
        record.fields = partner?.fields ?? texts
        guard !record.fields.isEmpty else { return }
        let update = try db.cachedStatement(sql: "UPDATE capture SET fields = ? WHERE id = ?")
        try update.execute(arguments: [record.fields.json, record.id])
    }

    private func partner(of record: CaptureRecord, _ db: Database) throws -> CaptureRecord? {
        guard record.object.cameraTime != nil else { return nil }
        return try CaptureRecord.fetch(
            db,
            where: """
                camera_id = ? AND stem = ? AND id < ? AND session_id = ? AND state <> 'duplicate'
                ORDER BY id DESC LIMIT 20
                """,
            [
                record.bodyID, SafeName.split(record.object.name).stem.lowercased(), record.id,
                record.sessionID,
            ]
        ).first { PairingRule.arePair(record, $0, settleSeconds: 0) }
    }
}

extension FieldTexts {
    /// As the ledger keeps them; none of a text that it did not write.
    init(json text: String?) {
        let texts = text.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        self.init(byName: texts ?? [:])
    }

    /// As the ledger keeps them, in the order of their names.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(byName), as: UTF8.self)
        }
    }
}
