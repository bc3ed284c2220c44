public import Foundation
public import FrameFastModel
import GRDB

/// A list that fields are walked through: who or what is photographed, one row after the other.
public struct FieldList: Hashable, Sendable {
    /// One row.
    public struct Row: Hashable, Sendable {
        /// Its number, from 1.
        public var number: Int
        /// A text for each column; empty for a field that it does not set.
        public var texts: [String]
        /// Shots of the session that have the text of its first column.
        public var shots = 0

        /// Creates a row.
        public init(number: Int, texts: [String], shots: Int = 0) {
            self.number = number
            self.texts = texts
            self.shots = shots
        }
    }

    /// The fields that its columns set. The first one tells the rows apart.
    public var columns: [FieldName]
    /// Its rows.
    public var rows: [Row]
    /// The row that stands for all cameras, and for those with one of their own.
    public var places: [CameraID?: Int]

    /// Creates a list of which no row stands yet.
    public init(columns: [FieldName], rows: [Row], places: [CameraID?: Int] = [:]) {
        self.columns = columns
        self.rows = rows
        self.places = places
    }
}

/// Which row of a list is to stand.
public enum FieldStep: Hashable, Sendable {
    /// The one after the row that stands; the first when none does.
    case next
    /// The one before it.
    case previous
    /// The one whose first column has this text.
    case code(String)
}

/// What came of a step.
public enum FieldStepOutcome: Hashable, Sendable {
    /// Its fields are set.
    case row(FieldList.Row)
    /// There is no such row, and the fields stay; which row stands.
    case noRow(standing: Int?)
    /// The session has no list.
    case noList
}

extension LedgerStore {
    /// Gives a session a list in the place of the one that it has. Fields stay as they are until the first step.
    ///
    /// - Parameter list: Its rows have different texts in their first column.
    public func setFieldList(_ list: FieldList, session: SessionID) async throws {
        try await write { db in
            try Self.removeList(of: session, db)
            try db.execute(
                sql: "INSERT INTO field_list (session_id, columns) VALUES (?, ?)",
                arguments: [session, try Self.json(list.columns.map(\.rawValue))])
            let insert = try db.cachedStatement(
                sql: "INSERT INTO field_row (session_id, number, code, texts) VALUES (?, ?, ?, ?)")
            for row in list.rows {
                try insert.execute(arguments: [
                    session, row.number, row.texts.first ?? "", try Self.json(row.texts),
                ])
            }
        }
    }

    /// Takes a session's list away. Fields stay as they are.
    public func removeFieldList(session: SessionID) async throws {
        try await write { db in try Self.removeList(of: session, db) }
    }

    private static func removeList(of session: SessionID, _ db: Database) throws {
        for table in ["field_place", "field_row", "field_list"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE session_id = ?", arguments: [session])
        }
    }

    /// The list of a session, with what was photographed of it; `nil` when it has none.
    public func fieldList(session: SessionID) async throws -> FieldList? {
        try await read { db in
            guard let columns = try Self.columns(of: session, db) else { return nil }
            let counts = try Row.fetchAll(
                db,
                sql: """
                    SELECT json_extract(fields, '$.' || :name) AS code, count(DISTINCT \(Schema.shot)) AS shots
                    FROM capture WHERE \(Schema.isCapture) AND session_id = :session AND fields IS NOT NULL GROUP BY 1
                    """, arguments: ["session": session, "name": columns.first])
            let shots = Dictionary(
                counts.compactMap { row in (row["code"] as String?).map { ($0, row["shots"] as Int) } }
            ) { first, _ in first }
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM field_row WHERE session_id = ? ORDER BY number", arguments: [session]
            ).map { row in
                FieldList.Row(
                    number: row["number"], texts: Self.texts(row["texts"]), shots: shots[row["code"]] ?? 0)
            }
            let places = try Row.fetchAll(
                db, sql: "SELECT * FROM field_place WHERE session_id = ?", arguments: [session]
            ).map { row -> (CameraID?, Int) in
                let camera: CameraID = row["camera_id"]
                return (camera == Self.allCameras ? nil : camera, row["number"])
            }
            return FieldList(
                columns: columns, rows: rows, places: Dictionary(places) { first, _ in first })
        }
    }

    /// Goes to a row of a session's list: all of its fields are set for the next photos, and the place is kept.
    ///
    /// - Parameter camera: The one camera whose photos are meant, which has a place of its own; `nil` for all.
    public func stepFieldList(
        _ step: FieldStep, session: SessionID, camera: CameraID?, at now: Date
    ) async throws -> FieldStepOutcome {
        try await write { db in
            guard let columns = try Self.columns(of: session, db) else { return .noList }
            let standing = try Int.fetchOne(
                db, sql: "SELECT number FROM field_place WHERE session_id = ? AND camera_id = ?",
                arguments: [session, camera ?? Self.allCameras])
            let (condition, value): (String, any DatabaseValueConvertible) =
                switch step {
                case .next: ("number = ?", (standing ?? 0) + 1)
                case .previous: ("number = ?", (standing ?? 0) - 1)
                case .code(let code): ("code = ?", code)
                }
            let found = try Row.fetchOne(
                db, sql: "SELECT number, texts FROM field_row WHERE session_id = ? AND \(condition)",
                arguments: [session, value])
            guard let found else { return .noRow(standing: standing) }
            let row = FieldList.Row(number: found["number"], texts: Self.texts(found["texts"]))
            let fields = FieldTexts(uniqueKeysWithValues: zip(columns, row.texts).map { ($0, $1) })
            try Self.set(fields, session: session, camera: camera, at: now, db)
            try db.execute(
                sql: """
                    INSERT INTO field_place (session_id, camera_id, number) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET number = excluded.number
                    """, arguments: [session, camera ?? Self.allCameras, row.number])
            return .row(row)
        }
    }

    private static func columns(of session: SessionID, _ db: Database) throws -> [FieldName]? {
        try String.fetchOne(
            db, sql: "SELECT columns FROM field_list WHERE session_id = ?", arguments: [session]
        ).map { texts($0).map(FieldName.init(rawValue:)) }
    }

    private static func json(_ texts: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    }

    private static func texts(_ json: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
    }
}
