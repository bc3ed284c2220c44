/// The wait of a worker that must not poll the camera for events. The wait ends when the daemon has fetched a
/// photo from a full photo store, or at the end of an exposure.
struct FullStoreWait {
    /// The interval for checking the link.
    static let interval = Duration.milliseconds(500)

    /// The time at which the next duty is due, or `nil` if no duty is scheduled.
    let due: Instant?

    /// Returns how long the worker waits for a command.
    func timeout(at now: Instant) -> Duration {
        min(Self.interval, due.map { now.delay(until: $0) } ?? Self.interval)
    }

    /// Returns whether a duty is due. If so, the worker runs the duty first.
    func isDutyDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }
}
