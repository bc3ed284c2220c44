import Foundation
import FrameFastModel

/// What one notice told and is to tell. A value: who tells has the ledger and the clock.
struct NoticeBook: Sendable {
    /// Conditions that one notice follows at most; the worst come first. More hold only when everything is wrong, and nobody
    /// reads a longer list.
    static let entriesMax = 200
    /// Messages in an hour, at most: what flaps for a night fills no telephone. What comes meanwhile is told together.
    static let messagesPerHourMax = 20
    /// How long after its start the service may take to find out again what is wrong: destinations and cameras are asked
    /// first. What is not found until then ended while the service was down.
    static let startGrace: Duration = .seconds(60)

    /// Rows to be written.
    struct Changes: Sendable {
        var keep: [NoticeEntry] = []
        var remove: [NoticeEntry] = []
        var isEmpty: Bool { keep.isEmpty && remove.isEmpty }
    }

    let notice: Notice
    private let graceEnd: Date
    private(set) var entries: [Condition.Key: NoticeEntry]
    /// Told before the start, and not seen since.
    private var unseen: Set<Condition.Key>
    /// What began or ended, and since when, until it has lasted long enough.
    private var turns: [Condition.Key: Date] = [:]
    private var told: [Date] = []

    /// - Parameter entries: What the ledger has.
    init(
        _ notice: Notice, _ entries: [NoticeEntry], at now: Date,
        startGrace: Duration = NoticeBook.startGrace
    ) {
        self.notice = notice
        self.entries = Dictionary(entries.map { ($0.condition.key, $0) }) { $1 }
        unseen = Set(self.entries.keys)
        graceEnd = now + startGrace / .seconds(1)
    }

    /// Looks at what is wrong now.
    ///
    /// - Parameter name: What people call a condition's subject.
    /// - Returns: what changed, to be written before anything is told.
    mutating func look(_ conditions: [Condition], at now: Date, name: (Condition) -> String?) -> Changes {
        var changes = Changes()
        let wanted = Dictionary(
            conditions.filter(notice.wants).prefix(Self.entriesMax).map { ($0.key, $0) }
        ) { first, _ in first }
        for (key, condition) in wanted {
            unseen.remove(key)
            guard var entry = entries[key] else {
                guard hasLasted(key, at: now), entries.count < Self.entriesMax else { continue }
                let entry = NoticeEntry(notice: notice.name, condition: condition, name: name(condition))
                entries[key] = entry
                turns[key] = nil
                changes.keep.append(entry)
                continue
            }
            turns[key] = nil
            guard entry.stage == .ended else { continue }
            // It is back before anybody heard that it was over.
            (entry.stage, entry.endedAt) = (.told, nil)
            entries[key] = entry
            changes.keep.append(entry)
        }
        for (key, var entry) in entries where wanted[key] == nil && entry.stage != .ended {
            guard hasLasted(key, at: now) else { continue }
            entry.endedAt = turns.removeValue(forKey: key)
            unseen.remove(key)
            if entry.stage == .begun {
                // Nobody heard of it.
                entries[key] = nil
                changes.remove.append(entry)
            } else {
                entry.stage = .ended
                entries[key] = entry
                changes.keep.append(entry)
            }
        }
        turns = turns.filter { key, _ in wanted[key] != nil || entries[key] != nil }
        return changes
    }

    private mutating func hasLasted(_ key: Condition.Key, at now: Date) -> Bool {
        if turns[key] == nil { turns[key] = now }
        return deadline(key).map { $0 <= now } ?? false
    }

    private func deadline(_ key: Condition.Key) -> Date? {
        guard let since = turns[key] else { return nil }
        let deadline = since + notice.delay / .seconds(1)
        return unseen.contains(key) ? max(deadline, graceEnd) : deadline
    }

    /// What is to be told now, worst first.
    func due(at now: Date) -> [NoticeEntry] {
        guard told.count < Self.messagesPerHourMax || now >= told[0] + 3_600 else { return [] }
        let isQuiet = notice.quietUntil(now) != nil
        return entries.values.filter { $0.isWaiting && (!isQuiet || Self.passes($0)) }
            .sorted {
                ($1.condition.severity, $0.condition.since, $0.condition.code)
                    < ($0.condition.severity, $1.condition.since, $1.condition.code)
            }
    }

    /// Whether it is told in quiet hours: photos may be lost until somebody comes.
    private static func passes(_ entry: NoticeEntry) -> Bool {
        entry.stage == .begun && entry.condition.severity == .danger
    }

    /// When to look again though nothing happens; `nil` when there is no need.
    func nextLook(after now: Date) -> Date? {
        var dates = turns.keys.compactMap(deadline)
        if entries.values.contains(where: \.isWaiting) {
            if let end = notice.quietUntil(now) { dates.append(end) }
            if told.count >= Self.messagesPerHourMax { dates.append(told[0] + 3_600) }
        }
        return dates.filter { $0 > now }.min()
    }

    /// A try begins, or ended without anybody being told.
    mutating func mark(_ entries: [NoticeEntry], isBeingTold: Bool) -> Changes {
        var changes = Changes()
        for entry in entries {
            var entry = entry
            entry.isBeingTold = isBeingTold
            self.entries[entry.condition.key] = entry
            changes.keep.append(entry)
        }
        return changes
    }

    /// Entries were told.
    mutating func settle(_ entries: [NoticeEntry], at now: Date) -> Changes {
        told = (told + [now]).suffix(Self.messagesPerHourMax)
        var changes = Changes()
        for entry in entries {
            let after = entry.afterTelling
            self.entries[entry.condition.key] = after
            if let after { changes.keep.append(after) } else { changes.remove.append(entry) }
        }
        return changes
    }
}
