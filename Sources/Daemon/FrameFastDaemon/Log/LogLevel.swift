import Logging
import Synchronization

/// The log level of all loggers of the program. The level can change while the loggers are in use.
enum LogLevel {
    private static let level = Mutex(Logger.Level.info)

    /// The name of the level in the configuration. Setting an unknown name selects `info`.
    static var current: String {
        get { level.withLock { $0 }.rawValue }
        set { level.withLock { $0 = Logger.Level(rawValue: newValue) ?? .info } }
    }

    /// The level, for log handlers.
    static var threshold: Logger.Level { level.withLock { $0 } }
}
