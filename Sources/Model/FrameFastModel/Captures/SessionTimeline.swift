public import FoundationEssentials

/// The sessions of a station in order of time: decides which session a photo belongs to by the time of its capture.
public struct SessionTimeline: Hashable, Sendable {
    /// Where a photo belongs.
    public struct Place: Hashable, Sendable {
        /// The session that ran when the photo was taken, or `nil` if none ran.
        public var session: SessionID?
        /// Whether the photo is older than the running session and belongs to no other: a person decides about its uploads.
        public var isUnsorted: Bool

        /// Creates a place.
        public init(_ session: SessionID?, isUnsorted: Bool = false) {
            self.session = session
            self.isUnsorted = isUnsorted
        }
    }

    /// How much earlier than a session's start a photo of that session may be dated, in seconds: cameras cut off parts of
    /// a second, and their clocks are read to the second.
    public static let slackSeconds: TimeInterval = 2
    /// How far ahead of this computer a photo may be dated, in seconds. A later date is a wrong clock.
    public static let aheadSeconds: TimeInterval = 120

    private var sessions: [Session] = []

    /// Creates a timeline.
    public init(_ sessions: some Sequence<Session> = []) {
        self.sessions = sessions.sorted { $0.id < $1.id }
    }

    /// The running session, or `nil` without one.
    public var running: Session? { sessions.last { $0.stoppedAt == nil } }

    /// Starts a session, or stops the running session if `session` is `nil`.
    public mutating func run(_ session: Session?, at now: Date) {
        for index in sessions.indices where sessions[index].stoppedAt == nil {
            sessions[index].stoppedAt = session?.startedAt ?? now
        }
        guard let session else { return }
        sessions.removeAll { $0.id == session.id }
        sessions.append(session)
    }

    /// The place of a photo that the camera announced as it was taken.
    public var placeOfShot: Place { Place(running?.id) }

    /// The place of a photo that was found on a card.
    ///
    /// - Parameters:
    ///   - taken: The time of its capture by this computer's clock, or `nil` if that is not known.
    ///   - after: A time after which it was taken for certain, or `nil` if none is known.
    ///   - now: The present time. A photo dated later has no time that can be true.
    public func place(taken: Date?, after: Date?, now: Date) -> Place {
        guard let running else {
            return Place(taken.flatMap { session(at: $0, now: now) }?.id)
        }
        guard let taken, taken <= now.addingTimeInterval(Self.aheadSeconds) else {
            let isOfRunning = after.map { $0 >= running.startedAt } ?? false
            return isOfRunning ? Place(running.id) : Place(nil, isUnsorted: true)
        }
        guard let session = session(at: taken, now: now) else { return Place(nil, isUnsorted: true) }
        return Place(session.id)
    }

    private func session(at time: Date, now: Date) -> Session? {
        sessions.last { session in
            session.startedAt <= time.addingTimeInterval(Self.slackSeconds)
                && session.stoppedAt.map { time <= $0 } ?? true
        }
    }
}
