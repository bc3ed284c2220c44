import FrameFastSystem
import Logging

/// From a message to the journal's fields. The one place that knows their names.
enum JournalFields {
    /// Keys that are fields of their own, `journalctl -u framefastd CAMERA=studio-a`. Any other key `x` is
    /// `FRAMEFAST_X`, so that it is no field that means something to the journal or to others.
    static let own: Set<String> = [
        "camera", "capture", "job", "destination", "session", "hook", "condition", "duration_ms",
    ]

    /// The field of a key.
    static func name(_ key: String) -> String {
        let name = String(
            key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" as Character })
        return own.contains(key) ? name : "FRAMEFAST_" + name
    }

    /// The priority of a level, as syslog(3) numbers them.
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

    /// One message as an entry. What `journalctl` shows by itself is the message with its keys behind it.
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
