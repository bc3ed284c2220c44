import Logging
import Synchronization

/// A log handler that records messages and their metadata for a test.
final class RecordedLines: LogHandler {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
}
