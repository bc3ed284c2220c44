import Logging
import Synchronization

/// Bounds the lines of the log that each photo of a card may cause: a card of 3,000 damaged photos is a dozen lines.
///
/// The first lines of a kind are written. From then on the others are lines for `debug`, and a line with their number is
/// written each time when it has doubled.
final class PhotoLog: Sendable {
    /// What becomes of a line.
    enum Verdict: Hashable {
        case written
        /// It is left out, and the number of its kind is written.
        case counted
        case leftOut
    }

    /// Lines of a kind that are written for each session.
    static let shownMax = 10

    private let counts = Mutex<[String: Int]>([:])

    /// What becomes of the line of this kind with this number, from 1.
    static func verdict(number: Int) -> Verdict {
        guard number > shownMax else { return .written }
        let (times, rest) = number.quotientAndRemainder(dividingBy: shownMax)
        return rest == 0 && times & (times - 1) == 0 ? .counted : .leftOut
    }

    /// Writes a line about one photo, or counts it.
    ///
    /// - Parameter words: What happened; the same words are one kind.
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
