import Cameras
import Foundation
import FrameFastModel

/// A check that raises a condition if the computer's clock is behind the newest photo.
///
/// A computer without a clock battery (a Raspberry Pi) and without a network boots with a date in the past.
/// With a wrong clock, FrameFast would assign photos to the wrong session and report correct camera clocks as
/// wrong.
struct ClockGuard {
    /// The largest lag of the clock behind the newest photo that raises no condition, in seconds. A person
    /// may have set the clock back.
    static let slackSeconds = 3_600.0

    /// The date of the last photo saved before the service started, or `nil` if no photo was saved.
    ///
    /// The value is the date of the last saved photo, not the latest date of all photos. A single photo with
    /// a date years ahead must not cause a warning for years.
    let newest: Date?
    let conditionBoard: ConditionBoard

    /// Raises the condition, or clears the condition after the clock was corrected.
    func checkClock(_ now: Date) {
        guard let newest, now.timeIntervalSince(newest) < -Self.slackSeconds else {
            return conditionBoard.clear(.clockBehind)
        }
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        conditionBoard.raise(
            .clockBehind,
            sentence:
                "This computer's clock says \(now.formatted(day)), but a photo here was saved on \(newest.formatted(day)).",
            nextStep:
                "Set the clock, for example with 'sudo timedatectl set-ntp true'. FrameFast uses this clock to "
                + "assign photos to sessions and to check camera clocks."
        )
    }
}
