import Logging
import Synchronization

/// Limits the log lines about single photos: a card with 3,000 damaged photos produces 18 lines.
///
/// The first lines of each kind are logged. Later lines are logged at level `debug`. Each time their number
/// doubles, one line with the number is logged.
final class PhotoLog: Sendable {
    /// The treatment of a line.
    enum Verdict: Hashable {
        case written
        /// The line is left out, and the number of its kind is logged.
        case counted
        case leftOut
    }

    /// The number of lines of each kind that are logged in a session.
    static let shownMax = 10

    private let counts = Mutex<[String: Int]>([:])

    /// Returns the treatment of the line with this number within its kind, counted from 1.
    static func verdict(number: Int) -> Verdict {
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
        let verdict = Self.verdict(number: number)
        logger.log(level: verdict == .written ? level : .debug, "\(words)", metadata: metadata)
        guard verdict == .counted else { return }
        logger.log(
            level: level, "\(words): \(number) times since the camera was connected",
            metadata: metadata.filter { $0.key == "camera" })
    }
}
