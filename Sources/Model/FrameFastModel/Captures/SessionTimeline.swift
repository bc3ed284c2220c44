public import FoundationEssentials

/// All sessions in chronological order. Assigns photos to sessions by capture time.
public struct SessionTimeline: Hashable, Sendable {
    /// The session of a photo.
    public struct Assignment: Hashable, Sendable {
        /// The session that was running when the photo was taken, or `nil` if none was running.
        public var session: SessionID?
        /// Whether a session is running, but the photo belongs to no session. A person must release its
        /// uploads.
        public var isUnsorted: Bool

        /// Creates an assignment.
        public init(_ session: SessionID?, isUnsorted: Bool = false) {
            self.session = session
            self.isUnsorted = isUnsorted
        }
    }

    /// The tolerance before a session's start, in seconds. Camera clocks and capture times have a resolution
    /// of a second.
    public static let slackSeconds: TimeInterval = 2
    /// The longest time by which a capture time may be in the future, in seconds. If the time is further in
    /// the future, the camera's clock is wrong.
    public static let aheadSeconds: TimeInterval = 120

    private var sessions: [Session] = []

    /// Creates a timeline.
    public init(_ sessions: some Sequence<Session> = []) {
        self.sessions = sessions.sorted { $0.id < $1.id }
    }

    /// The running session, or `nil` if no session is running.
    public var running: Session? { sessions.last { $0.stoppedAt == nil } }

    /// Starts a session, or stops the running session if `session` is `nil`.
    public mutating func startOrStop(_ session: Session?, at now: Date) {
        for index in sessions.indices where sessions[index].stoppedAt == nil {
            sessions[index].stoppedAt = session?.startedAt ?? now
        }
        guard let session else { return }
        sessions.removeAll { $0.id == session.id }
        sessions.append(session)
    }

    /// The assignment of a photo that the camera announced immediately after the shot.
    public var assignmentOfShot: Assignment { Assignment(running?.id) }

    /// Returns the assignment of a photo that was found on a card.
    ///
    /// - Parameters:
    ///   - taken: The capture time by this computer's clock, or `nil` if unknown.
    ///   - after: A time that is known to be before the capture, or `nil` if unknown. Used if `taken` is
    ///     unknown or not plausible.
    ///   - now: The present time. A capture time more than ``aheadSeconds`` after it is not plausible.
    public func assignment(taken: Date?, after: Date?, now: Date) -> Assignment {
        guard let running else {
            return Assignment(taken.flatMap { session(at: $0) }?.id)
        }
        guard let taken, taken <= now.addingTimeInterval(Self.aheadSeconds) else {
            let isOfRunning = after.map { $0 >= running.startedAt } ?? false
            return isOfRunning ? Assignment(running.id) : Assignment(nil, isUnsorted: true)
        }
        guard let session = session(at: taken) else { return Assignment(nil, isUnsorted: true) }
        return Assignment(session.id)
    }

    private func session(at time: Date) -> Session? {
        sessions.last { session in
            session.startedAt <= time.addingTimeInterval(Self.slackSeconds)
                && session.stoppedAt.map { time <= $0 } ?? true
        }
    }
}
