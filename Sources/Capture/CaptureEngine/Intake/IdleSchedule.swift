import FrameFastModel

/// A schedule of the duties between announcements: compare the camera's handles or list the card again after
/// a burst, refresh battery level, free space and clock, and retry failed photos.
struct IdleSchedule: Sendable {
    /// A timed duty.
    enum Duty: Hashable, Sendable {
        case nothing, reconcile, relist, refresh, retryParked, retryDamaged
    }

    /// The duration of one tick.
    static let tick: Duration = .milliseconds(500)
    /// The number of ticks without announcements after which a burst is over.
    static let burstOverTicks = 3
    /// The minimum number of ticks without announcements before a new connection lists the card again, unless
    /// the new connection is urgent. While a new connection lists the whole card, no other request is
    /// possible.
    static let relistTicks = 120
    /// The wait before a new connection, as a multiple of the duration of the last listing. The wait limits
    /// the time that is spent on listing a large card.
    static let relistFactor = 10
    /// The maximum wait that results from ``relistFactor``, in ticks: ten minutes. The wait is limited,
    /// because a listing takes longer while new photos are fetched.
    static let relistTicksMax = 1_200
    /// The maximum wait after new connections that find no new photos, as a multiple of the first wait.
    static let relistGrowthMax = 32
    /// The maximum number of ticks for which free space that shrinks without announcements restarts the wait:
    /// ten minutes.
    static let shrinkingTicksMax = 10 * relistTicks
    /// The number of ticks between two refreshes of battery level, free space and clock. A refresh also
    /// detects a camera that no longer responds.
    static let refreshTicks = 16
    /// The number of ticks between two attempts at photos that could not be fetched or saved.
    static let retryTicks = 20

    /// The waits before damaged photos are read again. The waits grow, because reading uses the camera's
    /// battery and damage on the card is usually permanent.
    static let damagedWaits = Backoff(first: .seconds(300), maximum: .seconds(3600))

    /// The number of objects that the driver cannot list even in a new connection. The worker reports only
    /// their number.
    private(set) var unlistable: Int
    /// Whether only a new connection can list the card, because the worker cannot read the camera's handles.
    private let mustRelist: Bool
    private var isDirty: Bool
    /// Whether the last comparison found an object missing.
    private var isSuspicious = false
    /// The number of announcements in this connection.
    private(set) var announcements = 0
    private var needsNewConnection = false
    /// Whether announcements were dropped in this connection.
    private var hasDrop = false
    private var isRelistPostponed = false
    private var ticks = 0
    private var lastAnnouncementTick = 0
    /// The tick at which the free space started to shrink without an announcement, or `nil` if it is not
    /// shrinking.
    private var shrinkingSince: Int?
    /// The number of consecutive earlier connections that were opened to list the card and found no new
    /// photo.
    private let fruitlessBefore: Int
    /// Whether this connection has a new photo.
    private var hasNewPhoto = false
    /// The number of ticks that the listing of this connection took.
    private var listTicks = 0
    private var damagedAttempts = 0
    private var nextDamagedTick = Self.damagedTicks(after: 0)
    private var freeBytes: UInt64?

    init(unlistable: Int, fruitlessRelists: Int = 0, facts: CameraFacts) {
        self.unlistable = unlistable
        fruitlessBefore = fruitlessRelists
        mustRelist = facts.mustRelist
        // The connection starts with a list, so a camera that must relist needs no second list.
        isDirty = !facts.mustRelist
        freeBytes = Self.free(facts)
    }

    /// The number of ticks without announcements before the next comparison.
    private var waitTicks: Int {
        // The wait prevents a loop of new connections if each of them drops announcements.
        let isUrgent = needsNewConnection || hasDrop && fruitlessBefore == 0
        guard mustRelist || hasDrop, !isUrgent else { return Self.burstOverTicks }
        let afterList = min(Self.relistFactor * listTicks, Self.relistTicksMax)
        let first = Self.tick * max(Self.relistTicks, afterList)
        let waits = Backoff(first: first, maximum: first * Self.relistGrowthMax)
        return Int(waits.wait(after: hasNewPhoto ? 1 : fruitlessBefore + 1) / Self.tick)
    }

    /// Whether the last announcement is at least ``burstOverTicks`` ago.
    var isIdle: Bool { ticks - lastAnnouncementTick >= Self.burstOverTicks }

    /// Records an announcement of the camera.
    mutating func recordAnnouncement() {
        isDirty = true
        announcements += 1
        lastAnnouncementTick = ticks
        shrinkingSince = nil
    }

    /// Records that a photo was entered in the ledger or saved. Without a new photo, each new connection
    /// makes the wait for the next list longer, because some cameras announce a changed list whenever a
    /// connection opens.
    mutating func recordNewPhoto() { hasNewPhoto = true }

    /// Returns the number of consecutive connections that were opened to list the card and found no new
    /// photo, including this connection.
    ///
    /// - Parameter isRelisting: Whether this connection ends because a new connection must list the card. If
    ///   `false`, the result is 0.
    func fruitlessRelists(isRelisting: Bool) -> Int {
        isRelisting && !hasNewPhoto ? fruitlessBefore + 1 : 0
    }

    /// Records that the known facts of an object may be wrong. After the burst, the next duty is `relist`,
    /// because a new connection must list the card to get the correct facts.
    mutating func recordDoubt() {
        needsNewConnection = true
        recordAnnouncement()
    }

    /// Records a dropped announcement. After the burst, the next duty is `relist`. If earlier new connections
    /// found no new photo, the wait for `relist` grows.
    mutating func recordDrop() {
        hasDrop = true
        recordAnnouncement()
    }

    /// Records that the computer slept. Schedules a comparison, because announcements during the sleep may be
    /// lost.
    mutating func computerSlept() {
        isDirty = true
        lastAnnouncementTick = ticks
    }

    /// Records that a `reconcile` was refused, for example by a busy camera. The duty is repeated after
    /// ``retryTicks``.
    mutating func retryLater() {
        isDirty = true
        lastAnnouncementTick = ticks + Self.retryTicks - Self.burstOverTicks
    }

    /// Postpones a new connection that would disturb the camera's operation. The new connection is requested
    /// again after ``retryTicks``.
    ///
    /// - Returns: Whether this is the first postponement in this connection.
    mutating func postponeRelist() -> Bool {
        defer { isRelistPostponed = true }
        needsNewConnection = true
        retryLater()
        return !isRelistPostponed
    }

    /// Returns whether a new connection has to wait for the camera's operation. A new connection would abort
    /// an exposure. An interval continues in the new connection and misses no photo if the next exposure is
    /// more than 20 seconds away.
    ///
    /// - Parameter nowNs: The current time, in nanoseconds of ``HostClock/bootTimeNs``.
    static func mustWait(for operation: CameraOperationProgress?, nowNs: UInt64) -> Bool {
        guard let operation, operation.state == .running else { return false }
        guard operation.kind == .interval, let next = operation.nextNs else { return true }
        return next < nowNs || next - nowNs < newConnectionNs
    }

    /// The time reserved for a new connection before the next photo of an interval, in nanoseconds.
    private static let newConnectionNs: UInt64 = 20_000_000_000

    /// Compares the free space of the card with the last report. If the free space shrinks without an
    /// announcement, an announcement may be lost. If only a new connection can list the card, the wait for it
    /// then starts again, because the user may be recording a movie, which is announced only at its end.
    /// After ``shrinkingTicksMax``, the wait no longer starts again, because the user may take unannounced
    /// photos all the time.
    mutating func compareFreeSpace(_ facts: CameraFacts) {
        let now = Self.free(facts)
        if let now, let before = freeBytes, now < before {
            isDirty = true
            let since = shrinkingSince ?? ticks
            shrinkingSince = since
            if mustRelist {
                lastAnnouncementTick = max(lastAnnouncementTick, min(ticks, since + Self.shrinkingTicksMax))
            }
        }
        freeBytes = now ?? freeBytes
    }

    /// Returns the number of ticks until the next duty, at least 1. An announcement before that duty can
    /// change this number.
    ///
    /// - Parameter hasParked: Whether photos are parked. If `false`, the duty `retryParked` is ignored.
    func ticksToNextDuty(hasParked: Bool) -> Int {
        func next(_ interval: Int) -> Int { (ticks / interval + 1) * interval }
        let burstOver = isDirty ? lastAnnouncementTick + waitTicks : .max
        let retry = hasParked ? next(Self.retryTicks) : .max
        return max(min(next(Self.refreshTicks), retry, burstOver, nextDamagedTick) - ticks, 1)
    }

    /// Advances the schedule by ticks that have no duty. The number must be smaller than
    /// ``ticksToNextDuty(hasParked:)``.
    mutating func advance(by ticks: Int) { self.ticks += ticks }

    /// Counts one tick and returns its duty.
    mutating func nextDuty() -> Duty {
        ticks += 1
        if isDirty && ticks - lastAnnouncementTick >= waitTicks {
            (isDirty, shrinkingSince) = (false, nil)
            return needsNewConnection || mustRelist || hasDrop ? .relist : .reconcile
        }
        if ticks % Self.refreshTicks == 0 { return .refresh }
        if ticks >= nextDamagedTick {
            damagedAttempts += 1
            nextDamagedTick = ticks + Self.damagedTicks(after: damagedAttempts)
            return .retryDamaged
        }
        return ticks % Self.retryTicks == 0 ? .retryParked : .nothing
    }

    /// Records the duration of this connection's listing, in ticks.
    mutating func recordListDuration(ticks: Int) { listTicks = ticks }

    /// Records the number of missing objects directly after this connection's listing. The number of
    /// unlistable objects decreases if objects that were missing before are listed now.
    mutating func recordList(missing: Int) { unlistable = min(unlistable, missing) }

    /// Evaluates the result of a `reconcile`.
    ///
    /// A photo that is taken during the request is missing until the camera announces it. A new connection
    /// ends live view and exposures. Therefore, a new connection is opened only if two consecutive
    /// comparisons find an object missing.
    ///
    /// - Parameter announcements: The value of ``announcements`` at the time of the request. If the camera
    ///   has announced an object since, that object may be the missing one, and the next comparison decides.
    /// - Returns: Whether a new connection is needed to list the missing objects.
    mutating func evaluate(missing: Int, since announcements: Int) -> Bool {
        guard missing > unlistable else {
            (unlistable, isSuspicious) = (missing, false)
            return false
        }
        guard announcements == self.announcements else { return false }
        guard isSuspicious else {
            (isSuspicious, isDirty, lastAnnouncementTick) = (true, true, ticks)
            return false
        }
        (unlistable, isSuspicious) = (missing, false)
        return true
    }

    /// Returns the number of ticks until damaged photos are read again, after this many attempts.
    static func damagedTicks(after attempts: Int) -> Int {
        Int(damagedWaits.wait(after: attempts + 1) / tick)
    }

    private static func free(_ facts: CameraFacts) -> UInt64? {
        let known = facts.storages.compactMap(\.freeBytes)
        return known.isEmpty ? nil : known.reduce(0, &+)
    }
}
