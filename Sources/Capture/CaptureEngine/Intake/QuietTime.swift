import FrameFastModel

/// Decides what to do while nothing is coming in: hold the camera's handles against what is known after a burst,
/// ask for battery and space now and then, try again what failed.
struct QuietTime: Sendable {
    /// What to do now.
    enum Duty: Hashable, Sendable {
        case nothing, reconcile, relist, refresh, retryParked, retryDamaged
    }

    /// How often the quiet is looked into.
    static let tick: Duration = .milliseconds(500)
    /// Ticks without news after which a burst is over.
    static let burstOverTicks = 3
    /// The same where only a new session shows photos that were not announced, at least: it lists the whole card, and nothing
    /// else is asked of the camera during that time.
    static let relistTicks = 120
    /// The same in multiples of the time that the list took: a large card is not being listed most of the time.
    static let relistFactor = 10
    /// The most that ``relistFactor`` makes of it: a list takes longer while new photos are fetched. Ten minutes.
    static let relistTicksMax = 1_200
    /// The longest wait in multiples of the first one, when new sessions list nothing new.
    static let relistGrowthMax = 32
    /// For how many ticks the wait begins again, at most, while free space shrinks and nothing is announced: ten minutes.
    static let shrinkingTicksMax = 10 * relistTicks
    /// Ticks between two questions for battery, space and clock; a camera that has gone silent is noticed then.
    static let refreshTicks = 16
    /// Ticks between two attempts at photos that could not be fetched or saved.
    static let retryTicks = 20

    /// Waits before damaged photos are read again. Reading costs the camera's battery, and what is damaged on the card
    /// stays so.
    static let damagedWaits = Backoff(first: .seconds(300), maximum: .seconds(3600))

    /// Objects that stay missing even in a new session: the driver cannot list them. A count and not a set, because
    /// the worker tells no more.
    private(set) var unlistable: Int
    /// Whether the camera's own list cannot be compared, so that a new session has to list the card instead.
    private let mustRelist: Bool
    private var isDirty: Bool
    /// Whether the last look found an object missing.
    private var isSuspicious = false
    /// Announcements so far.
    private(set) var news = 0
    private var needsNewSession = false
    private var isRelistPostponed = false
    private var ticks = 0
    private var lastNewsTick = 0
    /// Since when free space shrinks without an announcement; `nil` when it does not.
    private var shrinkingSince: Int?
    /// New sessions in a row that were wanted for the list and found no new photo.
    private let fruitlessBefore: Int
    /// Whether this session has a new photo.
    private var hasNewPhoto = false
    /// Ticks that this session's list took.
    private var listTicks = 0
    private var damagedLooks = 0
    private var nextDamagedTick = Self.damagedTicks(after: 0)
    private var freeBytes: UInt64?

    init(unlistable: Int, fruitlessRelists: Int = 0, facts: CameraFacts) {
        self.unlistable = unlistable
        fruitlessBefore = fruitlessRelists
        mustRelist = facts.mustRelist
        // The session begins with a list.
        isDirty = !facts.mustRelist
        freeBytes = Self.free(facts)
    }

    /// Ticks without news after which the list is looked at.
    private var lookTicks: Int {
        guard mustRelist, !needsNewSession else { return Self.burstOverTicks }
        let afterList = min(Self.relistFactor * listTicks, Self.relistTicksMax)
        let first = Self.tick * max(Self.relistTicks, afterList)
        let waits = Backoff(first: first, maximum: first * Self.relistGrowthMax)
        return Int(waits.wait(after: hasNewPhoto ? 1 : fruitlessBefore + 1) / Self.tick)
    }

    /// Whether nothing was announced lately.
    var isQuiet: Bool { ticks - lastNewsTick >= Self.burstOverTicks }

    /// The camera announced something.
    mutating func heard() {
        isDirty = true
        news += 1
        lastNewsTick = ticks
        shrinkingSince = nil
    }

    /// A new photo was entered or saved. News after which a new session finds none make the wait for the next list longer:
    /// some cameras announce a change of their list with each opening of a session.
    mutating func gotNewPhoto() { hasNewPhoto = true }

    /// New sessions in a row that were wanted for the list and found no new photo, with this one.
    ///
    /// - Parameter isRelisting: Whether this session ends for a new list. Else somebody connects the camera again.
    func fruitlessRelists(isRelisting: Bool) -> Int {
        isRelisting && !hasNewPhoto ? fruitlessBefore + 1 : 0
    }

    /// Something that the camera announced can only be settled by a new session's list: no other answer is asked for.
    mutating func doubted() {
        needsNewSession = true
        heard()
    }

    /// The computer slept. What the camera announced during the sleep may be lost, so its handles are compared.
    mutating func computerSlept() {
        isDirty = true
        lastNewsTick = ticks
    }

    /// A `reconcile` was refused, by a busy camera for example: it is asked again, at the pace of other attempts.
    mutating func refused() {
        isDirty = true
        lastNewsTick = ticks + Self.retryTicks - Self.burstOverTicks
    }

    /// A new session would disturb what the camera does: it is asked for again, at the pace of other attempts.
    ///
    /// - Returns: Whether this is the first time in this session.
    mutating func postponeRelist() -> Bool {
        defer { isRelistPostponed = true }
        needsNewSession = true
        refused()
        return !isRelistPostponed
    }

    /// Whether a new session has to wait for the camera's operation: it cuts an exposure off. An interval continues in the
    /// new session, and misses nothing if its next photo is far enough away.
    ///
    /// - Parameter nowMs: Now, in milliseconds since 1970.
    static func mustWait(for operation: CameraOperationProgress?, nowMs: Int) -> Bool {
        guard let operation, operation.state == .running else { return false }
        guard operation.kind == .interval, let next = operation.nextAtMs else { return true }
        return next < nowMs || next - nowMs < newSessionMs
    }

    /// The time that a new session is given before the next photo of an interval, in milliseconds.
    private static let newSessionMs = 20_000

    /// Room on the card that went without an announcement means that one was lost. Where a new session has to list the card,
    /// the wait begins again: a movie that is recorded takes room until it ends, and is announced then. After
    /// ``shrinkingTicksMax`` it does so no more: photos may be taken all the time that are not announced.
    mutating func compare(_ facts: CameraFacts) {
        let now = Self.free(facts)
        if let now, let before = freeBytes, now < before {
            isDirty = true
            let since = shrinkingSince ?? ticks
            shrinkingSince = since
            if mustRelist { lastNewsTick = max(lastNewsTick, min(ticks, since + Self.shrinkingTicksMax)) }
        }
        freeBytes = now ?? freeBytes
    }

    /// Ticks until the next duty, when nothing is heard before: at least 1.
    ///
    /// - Parameter hasParked: Whether photos wait that could not be fetched or saved; else there is nothing to try again.
    func ticksToNextDuty(hasParked: Bool) -> Int {
        func next(_ interval: Int) -> Int { (ticks / interval + 1) * interval }
        let burstOver = isDirty ? lastNewsTick + lookTicks : .max
        let retry = hasParked ? next(Self.retryTicks) : .max
        return max(min(next(Self.refreshTicks), retry, burstOver, nextDamagedTick) - ticks, 1)
    }

    /// Ticks went by in which there was no duty, fewer than ``ticksToNextDuty(hasParked:)``.
    mutating func rested(_ ticks: Int) { self.ticks += ticks }

    /// The duty of this tick.
    mutating func next() -> Duty {
        ticks += 1
        if isDirty && ticks - lastNewsTick >= lookTicks {
            (isDirty, shrinkingSince) = (false, nil)
            return needsNewSession || mustRelist ? .relist : .reconcile
        }
        if ticks % Self.refreshTicks == 0 { return .refresh }
        if ticks >= nextDamagedTick {
            damagedLooks += 1
            nextDamagedTick = ticks + Self.damagedTicks(after: damagedLooks)
            return .retryDamaged
        }
        return ticks % Self.retryTicks == 0 ? .retryParked : .nothing
    }

    /// Takes the time that this session's list took.
    mutating func listLasted(ticks: Int) { listTicks = ticks }

    /// Takes what is missing directly after this session's listing: what was missing before and is listed now was
    /// not unlistable, and must not hide the next object whose announcement is lost.
    mutating func listed(missing: Int) { unlistable = min(unlistable, missing) }

    /// Takes the answer to a `reconcile`.
    ///
    /// A photo that is taken at the time of the question is missing until the camera announces it. A new session, which ends
    /// live view and exposures, is needed only if two looks in a row find an object missing.
    ///
    /// - Parameter news: ``news`` at the time of the question. If the camera has announced something since, that may be what
    ///   is missing, and the next look has to tell.
    /// - Returns: whether a new session is needed to list what is missing.
    mutating func reconciled(missing: Int, since news: Int) -> Bool {
        guard missing > unlistable else {
            (unlistable, isSuspicious) = (missing, false)
            return false
        }
        guard news == self.news else { return false }
        guard isSuspicious else {
            (isSuspicious, isDirty, lastNewsTick) = (true, true, ticks)
            return false
        }
        (unlistable, isSuspicious) = (missing, false)
        return true
    }

    /// Ticks until damaged photos are read again, when they were so often already.
    static func damagedTicks(after looks: Int) -> Int {
        Int(damagedWaits.wait(after: looks + 1) / tick)
    }

    private static func free(_ facts: CameraFacts) -> UInt64? {
        let known = facts.storages.compactMap(\.freeBytes)
        return known.isEmpty ? nil : known.reduce(0, &+)
    }
}
