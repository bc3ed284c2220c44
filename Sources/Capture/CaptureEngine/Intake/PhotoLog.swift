import Logging
import Synchronization

/// A limit for log lines about single photos. A card with 3,000 damaged photos produces 18 lines.
///
/// The first lines with the same message are logged at their own level. Later lines are logged at level
/// `debug`. Each time the number of lines doubles, one summary line is logged.
final class PhotoLog: Sendable {
    /// The handling of one line.
    enum Decision: Hashable {
        case written
        /// The line is logged at level `debug`, and a summary with the number of lines is logged.
        case counted
        case leftOut
    }

    /// The number of lines of each kind that are logged at their own level in a connection.
    static let shownMax = 10

    private let counts = Mutex<[String: Int]>([:])

    /// Returns the handling of the line with this number among the lines of its kind, from 1.
    static func decision(number: Int) -> Decision {
        guard number > shownMax else { return .written }
        let (times, rest) = number.quotientAndRemainder(dividingBy: shownMax)
        return rest == 0 && times & (times - 1) == 0 ? .counted : .leftOut
    }

    /// Logs a line about one photo, or counts it.
    ///
    /// - Parameter words: The message. Lines with the same message are of one kind.
    func write(_ words: String, _ level: Logger.Level, to logger: Logger, _ metadata: Logger.Metadata) {
        let number = counts.withLock { counts in
            counts[words, default: 0] += 1
            return counts[words, default: 0]
        }
        let decision = Self.decision(number: number)
        logger.log(level: decision == .written ? level : .debug, "\(words)", metadata: metadata)
        guard decision == .counted else { return }
        logger.log(
            level: level, "\(words): \(number) times since the camera was connected",
            metadata: metadata.filter { $0.key == "camera" })
    }
}
