/// The schedule of polls for events.
///
/// A camera that sends events on a separate connection is not polled. Canon EOS, Nikon, Sony and Fuji must be
/// polled, which costs power and link time. The worker polls them frequently during shooting and rarely at
/// other times.
struct EventPace {
    /// The time after the last activity during which the worker polls at the interval ``shooting``.
    static let shootingWindow = Duration.milliseconds(5_000)
    /// The time after the last activity during which the worker polls at the interval ``warm``. After that
    /// time, the worker polls at the interval ``idle``.
    static let warmWindow = Duration.milliseconds(60_000)
    static let shooting = Duration.milliseconds(50)
    static let warm = Duration.milliseconds(250)
    static let idle = Duration.milliseconds(1_000)
    /// The poll interval during a photo transfer while no shot waits.
    static let transfer = Duration.milliseconds(100)
    /// The poll interval during a photo transfer while shots wait. The interval is long, because a new shot
    /// must wait for the earlier shots in any case.
    static let backlog = Duration.milliseconds(1_000)

    private var lastActivity: Instant
    private var lastPoll: Instant

    init(at now: Instant) {
        lastActivity = now
        lastPoll = now
    }

    /// Records activity of the photographer: an event about a photo, or a release.
    mutating func recordActivity(at now: Instant) { lastActivity = now }
    /// Records a poll.
    mutating func recordPoll(at now: Instant) { lastPoll = now }

    /// Returns the time until the next poll.
    func delay(at now: Instant) -> Duration {
        let quiet = now - lastActivity
        let interval =
            switch quiet {
            case ..<Self.shootingWindow: Self.shooting
            case ..<Self.warmWindow: Self.warm
            default: Self.idle
            }
        return now.delay(until: lastPoll + interval)
    }

    /// Returns whether to poll between two chunks of a photo.
    ///
    /// - Parameter hasMore: Whether shots wait for transfer.
    func isDueDuringTransfer(at now: Instant, hasMore: Bool) -> Bool {
        now >= lastPoll + (hasMore ? Self.backlog : Self.transfer)
    }

    /// Returns the minimum time until the next poll, if data from the camera causes the poll. Without this
    /// pause, the worker would poll once for each changed setting of a Sony.
    func pause(at now: Instant) -> Duration {
        now.delay(until: lastPoll + Self.shooting)
    }
}
