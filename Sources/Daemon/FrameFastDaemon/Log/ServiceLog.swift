import FrameFastSystem
import Logging

/// The setup of logging. If systemd has connected the process to the journal, messages go to the journal with
/// their fields. Otherwise, messages go to standard error as lines.
enum ServiceLog {
    /// The program's name in the log.
    static let identifier = "framefastd"

    /// Installs the log handler. The program calls this once, before it creates the first logger.
    static func bootstrap(environment: [String: String]) {
        if let journal = JournalSocket(stream: environment["JOURNAL_STREAM"]) {
            LoggingSystem.bootstrap { _ in JournalLogHandler(journal: journal) }
        } else {
            LoggingSystem.bootstrap { _ in LineLogHandler() }
        }
    }
}

/// A log handler that writes lines to standard error.
struct LineLogHandler: LogHandler {
    private var stream = StreamLogHandler.standardError(label: ServiceLog.identifier)

    init() { stream.logLevel = .trace }

    var logLevel: Logger.Level {
        get { max(LogLevel.threshold, stream.logLevel) }
        set { stream.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { stream.log(event: event) }
}

/// A log handler that sends messages with their fields to the journal.
struct JournalLogHandler: LogHandler {
    let journal: JournalSocket
    var metadata: Logger.Metadata = [:]
    /// The lowest level of this logger, in addition to the common threshold. The HTTP server's logger has at
    /// least `warning`.
    private var ownLevel = Logger.Level.trace

    init(journal: JournalSocket) { self.journal = journal }

    var logLevel: Logger.Level {
        get { max(LogLevel.threshold, ownLevel) }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }
        journal.send(JournalFields.entry(event.level, "\(event.message)", facts)) { count in
            JournalFields.entry(
                .warning, "messages were lost, because the journal did not accept them",
                ["count": "\(count)"])
        }
    }
}
