public import FoundationEssentials

/// How far one notice is with one condition: what the ledger keeps, so that nothing is told twice and no end is forgotten.
public struct NoticeEntry: Hashable, Sendable {
    /// What was told, and what is to be.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// It began, and that was not told yet.
        case begun
        /// It was told that it began.
        case told
        /// It was told that it began, and not yet that it is over.
        case ended
    }

    /// The notice.
    public var notice: NoticeName
    /// The condition, as it was when it began.
    public var condition: Condition
    /// What people call its subject; `nil` for the service.
    public var name: String?
    /// How far it is.
    public var stage: Stage
    /// When it was over; `nil` while it holds.
    public var endedAt: Date?
    /// Whether a try to tell it was begun whose outcome is not known.
    public var isBeingTold: Bool

    /// Creates an entry.
    public init(
        notice: NoticeName, condition: Condition, name: String? = nil, stage: Stage = .begun,
        endedAt: Date? = nil, isBeingTold: Bool = false
    ) {
        self.notice = notice
        self.condition = condition
        self.name = name
        self.stage = stage
        self.endedAt = endedAt
        self.isBeingTold = isBeingTold
    }

    /// Whether something of it is to be told.
    public var isWaiting: Bool { stage != .told }

    /// It was told; `nil` when nothing is left to tell.
    public var afterTelling: NoticeEntry? {
        guard stage == .begun else { return nil }
        var entry = self
        (entry.stage, entry.isBeingTold) = (.told, false)
        return entry
    }

    /// It after the service ended in the middle of a try, which may have arrived: it counts as told, so that nobody is told
    /// twice; except that photos may be lost, which is better told twice than never.
    public var afterInterruption: NoticeEntry? {
        guard isBeingTold else { return self }
        var entry = self
        entry.isBeingTold = false
        return condition.severity == .danger ? entry : entry.afterTelling
    }
}
