import Cameras
import Foundation
import FrameFastModel

/// Raises a condition if the computer's clock is behind the newest photo.
///
/// A computer without a clock battery (a Raspberry Pi) and without a network starts in the past. It would
/// name photos and folders by a wrong date.
struct ClockGuard {
    /// The largest delay of the clock that raises no condition, in seconds. A person may have corrected it by
    /// hand.
    static let slackSeconds = 3_600.0

    /// The date of the last photo saved before the service started, or `nil` without one.
    ///
    /// This is the last photo and not the latest date: one photo from a day when the clock was years ahead
    /// must not cause a warning for years.
    let newest: Date?
    let health: HealthBoard

    /// Raises or clears the condition. The network may come later and correct the clock.
    func checkClock(_ now: Date) {
        guard let newest, now.timeIntervalSince(newest) < -Self.slackSeconds else {
            return health.clear(.clockBehind)
        }
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        health.raise(
            .clockBehind,
            sentence:
                "This computer's clock says \(now.formatted(day)), but a photo here was saved on \(newest.formatted(day)).",
            nextStep:
                "Set the clock, for example with 'sudo timedatectl set-ntp true': folders and names of new photos have its date."
        )
    }
}
