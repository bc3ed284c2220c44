import Logging
import Synchronization

/// The least important messages that are logged, for every logger of the program. It changes while they are in use.
enum LogLevel {
    private static let level = Mutex(Logger.Level.info)

    /// By its name in the configuration.
    static var current: String {
        get { level.withLock { $0 }.rawValue }
        set { level.withLock { $0 = Logger.Level(rawValue: newValue) ?? .info } }
    }

    /// For handlers.
    static var threshold: Logger.Level { level.withLock { $0 } }
}
