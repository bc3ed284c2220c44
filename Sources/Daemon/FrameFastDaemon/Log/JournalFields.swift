import FrameFastSystem
import Logging

/// Converts log messages to journal entries. Only this type contains the names of the fields.
enum JournalFields {
    /// The keys that become fields with the same name in upper case, for `journalctl -u framefastd
    /// CAMERA=studio-a`. Any other key `x` becomes `FRAMEFAST_X`, and cannot collide with the journal's own
    /// fields.
    static let unprefixed: Set<String> = [
        "camera", "capture", "job", "destination", "session", "hook", "condition", "duration_ms",
    ]

    /// Returns the name of the field for a key.
    static func name(_ key: String) -> String {
        let name = String(
            key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" as Character })
        return unprefixed.contains(key) ? name : "FRAMEFAST_" + name
    }

    /// Returns the priority of a level, by the numbers of syslog(3).
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Creates the entry for a message. `journalctl` shows only MESSAGE by default, so the text includes the
    /// metadata.
    static func entry(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> JournalEntry {
        let facts = metadata.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }.filter { !$0.1.isEmpty }
        let words = facts.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        var entry = JournalEntry()
        entry.add("MESSAGE", words.isEmpty ? message : "\(message) (\(words))")
        entry.add("PRIORITY", "\(priority(level))")
        entry.add("SYSLOG_IDENTIFIER", ServiceLog.identifier)
        for (key, value) in facts { entry.add(name(key), value) }
        return entry
    }
}
