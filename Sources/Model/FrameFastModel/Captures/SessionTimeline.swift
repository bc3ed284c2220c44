public import FoundationEssentials

/// The sessions of a computer in chronological order. Assigns photos to sessions by capture time.
public struct SessionTimeline: Hashable, Sendable {
    /// The session of a photo.
    public struct Assignment: Hashable, Sendable {
        /// The session that was running when the photo was taken, or `nil` if none was running.
        public var session: SessionID?
        /// Whether the photo is older than the running session and belongs to no other. Its upload waits for
        /// a person.
        public var isUnsorted: Bool

        /// Creates an assignment.
        public init(_ session: SessionID?, isUnsorted: Bool = false) {
            self.session = session
            self.isUnsorted = isUnsorted
        }
    }

    /// The tolerance before a session's start, in seconds. Cameras truncate fractions of a second, and the
    /// service reads their clocks only to the second.
    public static let slackSeconds: TimeInterval = 2
    /// The largest lead of a photo's date over the present time, in seconds. A later date means a wrong
    /// clock.
    public static let aheadSeconds: TimeInterval = 120

    private var sessions: [Session] = []

    /// Creates a timeline.
    public init(_ sessions: some Sequence<Session> = []) {
        self.sessions = sessions.sorted { $0.id < $1.id }
    }

    /// The running session, or `nil` without one.
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

    /// The session of a photo that the camera announced when it was taken.
    public var assignmentOfShot: Assignment { Assignment(running?.id) }

    /// Returns the session of a photo that was found on a card.
    ///
    /// - Parameters:
    ///   - taken: The capture time by this computer's clock, or `nil` if unknown.
    ///   - after: A time after which the photo was certainly taken, or `nil` if unknown.
    ///   - now: The present time. A photo dated later has no plausible time.
    public func assignment(taken: Date?, after: Date?, now: Date) -> Assignment {
        guard let running else {
            return Assignment(taken.flatMap { session(at: $0, now: now) }?.id)
        }
        guard let taken, taken <= now.addingTimeInterval(Self.aheadSeconds) else {
            let isOfRunning = after.map { $0 >= running.startedAt } ?? false
            return isOfRunning ? Assignment(running.id) : Assignment(nil, isUnsorted: true)
        }
        guard let session = session(at: taken, now: now) else { return Assignment(nil, isUnsorted: true) }
        return Assignment(session.id)
    }

    private func session(at time: Date, now: Date) -> Session? {
        sessions.last { session in
            session.startedAt <= time.addingTimeInterval(Self.slackSeconds)
                && session.stoppedAt.map { time <= $0 } ?? true
        }
    }
}
