import Foundation
public import FrameFastModel
import GRDB

extension LedgerStore {
    /// What a notice told and is to tell. A condition that this version does not know is left out.
    public func noticeEntries(of notice: NoticeName) async throws -> [NoticeEntry] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM notice WHERE notice = ?", arguments: [notice.rawValue])
                .compactMap(NoticeEntry.init)
        }
    }

    /// Keeps entries in the place of those of the same notice and condition, and removes others.
    public func keep(_ entries: [NoticeEntry], removing over: [NoticeEntry]) async throws {
        try await write { db in
            for entry in over {
                try db.execute(
                    sql: "DELETE FROM notice WHERE notice = ? AND code = ? AND subject = ?",
                    arguments: [
                        entry.notice.rawValue, entry.condition.code,
                        try Self.subjectText(entry.condition.subject),
                    ])
            }
            for entry in entries {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO notice
                            (notice, code, subject, condition, name, stage, ended_at, is_being_told)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        entry.notice.rawValue, entry.condition.code,
                        try Self.subjectText(entry.condition.subject), try Self.json(entry.condition),
                        entry.name, entry.stage.rawValue, entry.endedAt?.timeIntervalSince1970,
                        entry.isBeingTold,
                    ])
            }
        }
    }

    /// Forgets what notices told that are not in the configuration any more.
    public func forgetNotices(except known: [NoticeName]) async throws {
        try await write { db in
            let all = try String.fetchAll(db, sql: "SELECT DISTINCT notice FROM notice")
            for notice in Set(all).subtracting(known.map(\.rawValue)) {
                try db.execute(sql: "DELETE FROM notice WHERE notice = ?", arguments: [notice])
            }
        }
    }

    private static func subjectText(_ subject: ConditionSubject?) throws -> String {
        try subject.map(json) ?? ""
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension NoticeEntry {
    fileprivate init?(_ row: Row) {
        guard let stage = Stage(rawValue: row["stage"]),
            let condition = try? JSONDecoder().decode(
                Condition.self, from: Data((row["condition"] as String).utf8))
        else { return nil }
        self.init(
            notice: NoticeName(rawValue: row["notice"]), condition: condition, name: row["name"],
            stage: stage, endedAt: (row["ended_at"] as Double?).map(Date.init(timeIntervalSince1970:)),
            isBeingTold: row["is_being_told"])
    }
}
