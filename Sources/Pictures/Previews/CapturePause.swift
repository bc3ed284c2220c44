import FrameFastModel

/// The rule that pictures wait while a photo comes in, on a computer with few processor cores.
struct CapturePause: Hashable, Sendable {
    /// The largest number of processor cores with which pictures wait.
    static let coresMax = 2
    /// The longest pause before one picture, in seconds. Clients must get pictures even while a card with
    /// thousands of photos is fetched.
    static let secondsMax = 3.0
    /// The time without transfers after which pictures are made in the background, in seconds. The photos of
    /// a burst arrive with short gaps.
    static let settleSeconds = 2.0
    /// The time without a report after which a transfer counts as stalled, in seconds. A stalled transfer
    /// does not delay pictures, because it needs no processor. The transfer of a removed camera never reports
    /// its end.
    static let silenceSeconds = 10.0

    private let isNeeded: Bool
    /// The cameras with a running transfer, and the uptime of the last report of each, in seconds.
    private var cameras: [CameraID: Double] = [:]
    /// The uptime at which the pause began, in seconds, or `nil` without a pause.
    private var since: Double?
    /// The uptime at which the last transfer ended, in seconds, or `nil` before the first end.
    private var endedAt: Double?

    /// Creates a rule.
    ///
    /// - Parameter cores: The number of processor cores of this computer.
    init(cores: Int) { isNeeded = cores <= Self.coresMax }

    /// Records whether a photo of a camera is coming in.
    ///
    /// - Returns: Whether this report ended the only running transfer.
    mutating func update(_ camera: CameraID, isTransferring: Bool, at uptime: Double) -> Bool {
        let before = !cameras.isEmpty
        cameras[camera] = isTransferring ? uptime : nil
        if cameras.isEmpty {
            since = nil
            if before { endedAt = uptime }
        } else if !before {
            since = uptime
        }
        return before && cameras.isEmpty
    }

    /// Returns the remaining time of the pause, in seconds, or `nil` if a picture may be made now.
    func remainingSeconds(at uptime: Double) -> Double? {
        guard isNeeded, let since, let silence = secondsUntilSilence(at: uptime) else { return nil }
        let remaining = min(since + Self.secondsMax - uptime, silence)
        return remaining > 0 ? remaining : nil
    }

    /// Returns the time until a picture may be made in the background, in seconds, or `nil` if the wait is
    /// over. While a photo comes in, each report extends the time.
    func backgroundSeconds(at uptime: Double) -> Double? {
        guard isNeeded else { return nil }
        guard cameras.isEmpty else { return secondsUntilSilence(at: uptime) }
        guard let endedAt else { return nil }
        let remaining = endedAt + Self.settleSeconds - uptime
        return remaining > 0 ? remaining : nil
    }

    /// Returns the time until all running transfers count as stalled without another report, in seconds.
    /// Returns `nil` if no transfer is running, or if all are stalled.
    private func secondsUntilSilence(at uptime: Double) -> Double? {
        let remaining = (cameras.values.max() ?? -Double.infinity) + Self.silenceSeconds - uptime
        return remaining > 0 ? remaining : nil
    }

    /// Records that a picture was made. If a photo is still coming in, the next pause begins.
    mutating func recordPicture(at uptime: Double) {
        if since != nil { since = uptime }
    }
}
