import Cameras
import Foundation
import FrameFastModel

/// Notices a computer that woke up in the past: one without a battery for its clock (a Raspberry Pi) and without a network
/// to ask names photos and folders by a day that is long over.
struct ClockGuard {
    /// By how much the clock may be behind: somebody corrected it by hand.
    static let slackSeconds = 3_600.0

    /// When the photo was saved that came last before the service started; `nil` for none. The last one and not the latest
    /// date: one photo of a day when the clock was years ahead must not be a warning for years.
    let newest: Date?
    let health: HealthBoard

    /// Compares, and says so or takes it back: the network may come later and correct the clock.
    func check(_ now: Date) {
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
